# exercise: replica_step
# score:    8/8
# why:      shares the number of rows first, so that local losses add up to the mean
def replica_step(w, x, y, rate, clip):
    everyone = tf.distribute.get_replica_context()
    total_rows = everyone.all_reduce(tf.distribute.ReduceOp.SUM, tf.shape(y)[0])
    with tf.GradientTape() as tape:
        tape.watch(w)
        predicted = tf.squeeze(tf.matmul(x, w[:, tf.newaxis]), axis=1)
        loss = tf.reduce_sum((predicted - y) ** 2) / (2.0 * tf.cast(total_rows, tf.float32))
    gradient = everyone.all_reduce(tf.distribute.ReduceOp.SUM, tape.gradient(loss, w))
    (gradient,), _ = tf.clip_by_global_norm([gradient], clip)
    return w - rate * gradient, everyone.all_reduce(tf.distribute.ReduceOp.SUM, loss)

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
