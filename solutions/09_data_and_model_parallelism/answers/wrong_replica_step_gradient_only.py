# exercise: replica_step
# score:    1/8
# breaks:   5
# fails:    replica_step-uneven: that is the gradient; the new weights are asked for
# fails:    replica_step-clip: neutral
# fails:    replica_step-drawn: neutral
# why:      returns the gradient in place of the weights
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    mine = [tape.gradient(total, w), total, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    gradient = tf.clip_by_norm(gradient / rows, clip)
    return gradient, total / rows

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
