# exercise: replica_step
# score:    0/8
# fails:    replica_step-uneven: that is the sum of the replicas' means: divide by the rows of all
# fails:    replica_step-clip: neutral
# fails:    replica_step-drawn: neutral
# fails:    replica_step-loss: neutral
# why:      adds the replicas' means, as with a loss that is divided by the local batch
def replica_step(w, x, y, rate, clip):
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    own = tf.maximum(tf.cast(tf.shape(x)[0], tf.float32), 1)
    mine = [tape.gradient(total, w) / own, total / own, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    gradient = tf.clip_by_norm(gradient, clip)
    return w - rate * gradient, total

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
