# exercise: plan
# score:    7/8
# fails:    plan-too-small
# says:     no word about it
# why:      returns a plan of no steps
def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    batch = replicas * per_replica
    steps = examples // batch
    first = (steps - 1) * batch
    last_step = [list(range(first + i * per_replica, first + (i + 1) * per_replica)) for i in range(replicas)]
    executions = [fuse] * (steps // fuse)
    if steps % fuse:
        executions.append(steps % fuse)
    return {"global_batch": batch, "steps": steps, "unused": examples - steps * batch,
            "learning_rate": base_rate * batch / base_batch, "last_step": last_step, "executions": executions}
