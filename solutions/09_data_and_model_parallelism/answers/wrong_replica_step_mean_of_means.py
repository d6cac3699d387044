# exercise: replica_step
# score:    3/8
# breaks:   1
# fails:    replica_step-uneven: that is the mean of the replicas' means: rows of the smaller share count more than others
# fails:    replica_step-drawn: neutral
# why:      the mean of the replicas' means (0 for a replica without rows)
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    mine = [tape.gradient(total, w), total, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    own = tf.maximum(tf.cast(tf.shape(x)[0], tf.float32), 1)
    gradient = context.all_reduce(tf.distribute.ReduceOp.MEAN, mine[0] / own)
    gradient = tf.clip_by_norm(gradient, clip)
    return w - rate * gradient, total / rows

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
