# exercise: plan
# score:    7/9
# breaks:   9
# fails:    plan-apart: two tasks have the same inbox
# why:      chief 0 and worker 0 have one name
import json


def plan(tf_config, generation, lost=()):
    conf = json.loads(tf_config)
    cluster, task = conf["cluster"], conf["task"]
    ring = []
    for job in ("chief", "worker"):
        for number in range(len(cluster.get(job, []))):
            name = f"{job}/{number}"
            if name not in lost:
                ring.append(name)
    mine = f"{task['type']}/{task['index']}"
    at = ring.index(mine)
    nxt = ring[(at + 1) % len(ring)]
    def device(name):
        job, number = name.split("/")
        return f"/job:{job}/task:{number}"
    def box(name):
        return f"{generation}-{name.split(chr(47))[1]}"
    return {"rank": at, "n": len(ring), "me": device(mine), "next": device(nxt), "inbox": box(mine), "outbox": box(nxt)}
