# exercise: plan
# score:    4/9
# breaks:   6
# fails:    plan-ring: neutral
# fails:    plan-lost: a device is named by its number
# why:      a device named by the place in the ring
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
        "me": f"/job:worker/task:{rank}",
        "next": device(following),
        "inbox": queue(ring[rank]),
        "outbox": queue(following),
    }
