# exercise: replica_step
# score:    1/8
# breaks:   4
# fails:    replica_step-uneven: neutral
# fails:    replica_step-clip: a gradient that is smaller than clip was scaled up
# fails:    replica_step-drawn: neutral
# why:      scales every gradient to the norm clip
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    mine = [tape.gradient(total, w), total, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    gradient = gradient / tf.norm(gradient) * clip
    return w - rate * gradient, total / rows

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
