# exercise: plan
# score:    9/9
# why:      TensorFlow's ClusterSpec reads the cluster
def plan(tf_config, generation, lost=()):
    config = json.loads(tf_config)
    spec = tf.train.ClusterSpec(config["cluster"])
    ring = []
    for job in spec.jobs:
        if job in ("chief", "worker"):
            ring += [(job, k) for k in spec.task_indices(job) if f"{job}/{k}" not in lost]
    ring.sort()
    devices = [f"/job:{job}/task:{k}" for job, k in ring]
    me = devices.index(f"/job:{config['task']['type']}/task:{config['task']['index']}")
    after = devices[0] if me == len(ring) - 1 else devices[me + 1]
    return {
        "rank": me, "n": len(ring), "me": devices[me], "next": after,
        "inbox": f"{devices[me]} generation {generation}",
        "outbox": f"{after} generation {generation}",
    }
