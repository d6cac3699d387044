# exercise: plan
# score:    9/9
# why:      queues named by rank and generation
def plan(tf_config, generation, lost=()):
    config = json.loads(tf_config)
    ring = []
    for job in sorted(set(config["cluster"]) & {"chief", "worker"}):
        ring += [{"type": job, "index": k} for k in range(len(config["cluster"][job]))]
    ring = [t for t in ring if t["type"] + "/" + str(t["index"]) not in lost]
    rank, n = ring.index(config["task"]), len(ring)
    result = {"rank": rank, "n": n}
    for key, box, k in (("me", "inbox", rank), ("next", "outbox", (rank + 1) % n)):
        result[key] = f"/job:{ring[k]['type']}/task:{ring[k]['index']}"
        result[box] = json.dumps(["queue", generation, k])
    return result
