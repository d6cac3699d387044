# exercise: plan
# score:    2/9
# breaks:   8
# fails:    plan-names: of the worker before
# fails:    plan-apart: from which the next does not read
# fails:    plan-lost: from which the next does not read
# why:      the outbox is taken from the worker before
def plan(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    ring = []
    for job in ("chief", "worker"):
        for index in range(len(settings["cluster"].get(job, []))):
            if f"{job}/{index}" not in lost:
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
        "outbox": queue(ring[rank - 1]),
    }
