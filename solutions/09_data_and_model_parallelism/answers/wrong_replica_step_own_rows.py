# exercise: replica_step
# score:    1/8
# breaks:   6
# fails:    replica_step-uneven: each replica has used its own rows only: all_reduce is missing
# fails:    replica_step-clip: neutral
# fails:    replica_step-drawn: neutral
# why:      each replica updates with the gradient of its own rows
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    mine = [tape.gradient(total, w), total, tf.cast(tf.shape(x)[0], tf.float32)]
    _, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    gradient = tf.clip_by_norm(mine[0] / tf.maximum(mine[2], 1), clip)
    return w - rate * gradient, total / rows

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
