# exercise: plan
# score:    6/9
# breaks:   3
# fails:    plan-lost: a task that is lost | n is not the number
# why:      the dead stay in the ring
def plan(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    ring = []
    for job in ("chief", "worker"):
        for index in range(len(settings["cluster"].get(job, []))):
            ring.append((job, index))
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
        "outbox": queue(following),
    }
