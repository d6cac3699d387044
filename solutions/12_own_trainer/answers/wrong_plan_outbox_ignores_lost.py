# exercise: plan
# score:    6/9
# breaks:   8
# fails:    plan-lost: from which the next does not read
# why:      sends to the next of the cluster, though it is lost
def plan(tf_config, generation, lost=()):
    """A worker's place in the ring.

    Args:
        tf_config: str, JSON: the environment variable TF_CONFIG.
        generation: int, 0 or more.
        lost: list of str, tasks that are dead, such as "worker/2"; never this one.
    Returns:
        dict: "rank" and "n", int; "me", "next", "inbox" and "outbox", str.
    """
    settings = json.loads(tf_config)
    ring = []
    for job in ("chief", "worker"):
        for index in range(len(settings["cluster"].get(job, []))):
            if f"{job}/{index}" not in lost:
                ring.append((job, index))
    everybody = [(job, index) for job in ("chief", "worker") for index in range(len(settings["cluster"].get(job, [])))]
    rank = ring.index((settings["task"]["type"], settings["task"]["index"]))
    following = ring[(rank + 1) % len(ring)]

    def device(task):
        return f"/job:{task[0]}/task:{task[1]}"

    def queue(task):
        return f"generation {generation} to {device(task)}"

    return {
        "rank": rank,
        "n": len(ring),
        "me": device(ring[rank]),
        "next": device(following),
        "inbox": queue(ring[rank]),
        "outbox": queue(everybody[(everybody.index(ring[rank]) + 1) % len(everybody)]),
    }
