# exercise: plan
# score:    9/9
# why:      an import, a named tuple and a function stand beside it
from collections import namedtuple

Task = namedtuple("Task", "job index")


def device(task):
    return f"/job:{task.job}/task:{task.index}"


def plan(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    tasks = [Task(job, k) for job in ("chief", "worker") for k in range(len(settings["cluster"].get(job, [])))]
    ring = [task for task in tasks if f"{task.job}/{task.index}" not in lost]
    rank = ring.index((settings["task"]["type"], settings["task"]["index"]))
    me, after = device(ring[rank]), device(ring[(rank + 1) % len(ring)])
    return {
        "rank": rank, "n": len(ring), "me": me, "next": after,
        "inbox": f"{generation}: {me}", "outbox": f"{generation}: {after}",
    }
