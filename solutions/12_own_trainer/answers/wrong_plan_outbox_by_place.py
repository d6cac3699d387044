# exercise: plan
# score:    6/9
# breaks:   8
# fails:    plan-lost: from which the next does not read
# why:      counts the outbox by the place in the whole cluster, the inbox by the rank among the living
def plan(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    tasks = []
    for job in ("chief", "worker"):
        for index in range(len(settings["cluster"].get(job, []))):
            tasks.append((job, index))
    ring = [(job, index) for job, index in tasks if f"{job}/{index}" not in lost]
    me = (settings["task"]["type"], settings["task"]["index"])
    place, rank, n = tasks.index(me), ring.index(me), len(ring)
    job, index = ring[(rank + 1) % n]
    return {
        "rank": rank,
        "n": n,
        "me": f"/job:{me[0]}/task:{me[1]}",
        "next": f"/job:{job}/task:{index}",
        "inbox": f"generation {generation}, inbox {rank}",
        "outbox": f"generation {generation}, inbox {(place + 1) % n}",
    }
