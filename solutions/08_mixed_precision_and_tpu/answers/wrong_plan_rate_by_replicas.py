# exercise: plan
# score:    7/8
# fails:    plan-rate
# says:     not times the replicas
# why:      multiplies the rate by the replicas
def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    batch = replicas * per_replica
    steps = examples // batch
    if steps == 0:
        raise ValueError(f"{examples} examples do not fill one global batch of {batch}")
    first = (steps - 1) * batch
    last_step = [list(range(first + i * per_replica, first + (i + 1) * per_replica)) for i in range(replicas)]
    executions = [fuse] * (steps // fuse)
    if steps % fuse:
        executions.append(steps % fuse)
    return {"global_batch": batch, "steps": steps, "unused": examples - steps * batch,
            "learning_rate": base_rate * replicas, "last_step": last_step, "executions": executions}
