# exercise: plan
# score:    6/8
# fails:    plan-shards
# says:     a replica gets neighbours
# why:      deals the examples out like cards
def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    batch = replicas * per_replica
    steps = examples // batch
    if steps == 0:
        raise ValueError(f"{examples} examples do not fill one global batch of {batch}")
    first = (steps - 1) * batch
    last_step = [list(range(first + i, first + batch, replicas)) for i in range(replicas)]
    executions = [fuse] * (steps // fuse)
    if steps % fuse:
        executions.append(steps % fuse)
    return {"global_batch": batch, "steps": steps, "unused": examples - steps * batch,
            "learning_rate": base_rate * batch / base_batch, "last_step": last_step, "executions": executions}
