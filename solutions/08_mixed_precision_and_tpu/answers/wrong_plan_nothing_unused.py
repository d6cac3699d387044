# exercise: plan
# score:    6/8
# fails:    plan-batches
# says:     is dropped, and so unused
# why:      forgets the examples that are left over
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
    return {"global_batch": batch, "steps": steps, "unused": 0,
            "learning_rate": base_rate * batch / base_batch, "last_step": last_step, "executions": executions}
