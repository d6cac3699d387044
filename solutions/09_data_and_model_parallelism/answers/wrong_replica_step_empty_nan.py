# exercise: replica_step
# score:    6/8
# breaks:   2
# fails:    replica_step-drawn: a replica without rows gives NaN: 0 rows divided by 0
# why:      weights each replica's mean by its rows; without rows the mean is NaN
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mine = [tape.gradient(total, w) / own * own, total / own * own, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    gradient = tf.clip_by_norm(gradient / rows, clip)
    return w - rate * gradient, total / rows

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
