# exercise: plan
# score:    0/8
# fails:    plan-batches, plan-rate, plan-shards, plan-executions, plan-too-small
# says:     that of all replicas together
# why:      takes the local batch for the global one
def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    batch = per_replica
    steps = examples // batch
    if steps == 0:
        raise ValueError(f"{examples} examples do not fill one global batch of {batch}")
    first = (steps - 1) * batch
    last_step = [list(range(first + i * per_replica, first + (i + 1) * per_replica)) for i in range(replicas)]
    executions = [fuse] * (steps // fuse)
    if steps % fuse:
        executions.append(steps % fuse)
    return {"global_batch": batch, "steps": steps, "unused": examples - steps * batch,
            "learning_rate": base_rate * batch / base_batch, "last_step": last_step, "executions": executions}
