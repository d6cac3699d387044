# exercise: plan
# score:    6/8
# fails:    plan-shards
# says:     the partial batch after it is dropped
# why:      takes the dropped batch for the last step
def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    batch = replicas * per_replica
    steps = examples // batch
    if steps == 0:
        raise ValueError(f"{examples} examples do not fill one global batch of {batch}")
    first = (steps - 1) * batch
    rest = range(first + batch, examples) or range(first, first + batch)
    last_step = [list(rest[i * per_replica:(i + 1) * per_replica]) for i in range(replicas)]
    executions = [fuse] * (steps // fuse)
    if steps % fuse:
        executions.append(steps % fuse)
    return {"global_batch": batch, "steps": steps, "unused": examples - steps * batch,
            "learning_rate": base_rate * batch / base_batch, "last_step": last_step, "executions": executions}
