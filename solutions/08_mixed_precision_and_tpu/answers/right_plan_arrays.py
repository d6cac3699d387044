# exercise: plan
# score:    8/8
# why:      with NumPy's reshape and a loop for the calls
import numpy as np


def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    batch = per_replica * replicas
    if examples < batch:
        raise ValueError("too few examples for a step")
    steps, unused = divmod(examples, batch)
    used = np.arange(steps * batch).reshape(steps, replicas, per_replica)
    executions, left = [], steps
    while left:
        executions.append(min(fuse, left))
        left -= executions[-1]
    return dict(global_batch=batch, steps=steps, unused=unused, learning_rate=base_rate / base_batch * batch,
                last_step=used[-1].tolist(), executions=executions)
