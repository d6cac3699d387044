# exercise: replica_step
# score:    2/8
# fails:    replica_step-uneven: the sum over all rows was divided by the number of replicas
# fails:    replica_step-drawn: neutral
# fails:    replica_step-loss: neutral
# why:      divides the sum by the number of replicas
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    mine = [tape.gradient(total, w), total, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.MEAN, mine)
    gradient = tf.clip_by_norm(gradient, clip)
    return w - rate * gradient, total

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
