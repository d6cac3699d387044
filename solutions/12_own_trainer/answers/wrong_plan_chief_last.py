# exercise: plan
# score:    4/9
# breaks:   1
# fails:    plan-ring: first worker has rank 0
# fails:    plan-lost: rank is the place
# why:      the chief is put behind the workers
def plan(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    ring = []
    for job in ("worker", "chief"):
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
        "outbox": queue(following),
    }
