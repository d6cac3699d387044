# exercise: plan
# score:    6/9
# breaks:   3
# fails:    plan-lost: n is not the number
# why:      worker/10 is taken for lost when worker/1 is
import json


def plan(tf_config, generation, lost=()):
    conf = json.loads(tf_config)
    cluster, task = conf["cluster"], conf["task"]
    ring = []
    for job in ("chief", "worker"):
        for number in range(len(cluster.get(job, []))):
            name = f"{job}/{number}"
            if not any(name.startswith(l) for l in lost):
                ring.append(name)
    mine = f"{task['type']}/{task['index']}"
    at = ring.index(mine)
    nxt = ring[(at + 1) % len(ring)]
    def device(name):
        job, number = name.split("/")
        return f"/job:{job}/task:{number}"
    def box(name):
        return f"g{generation}-{name}"
    return {"rank": at, "n": len(ring), "me": device(mine), "next": device(nxt), "inbox": box(mine), "outbox": box(nxt)}
