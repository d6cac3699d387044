# exercise: replica_step
# score:    8/8
# why:      gathers all rows with all_reduce of one long vector
def replica_step(w, x, y, rate, clip):
    context = tf.distribute.get_replica_context()
    error = tf.einsum("rf,f->r", x, w) - y
    vector = tf.concat([tf.einsum("rf,r->f", x, error), [tf.reduce_sum(error * error) / 2, tf.cast(tf.size(y), tf.float32)]], 0)
    vector = context.all_reduce(tf.distribute.ReduceOp.SUM, vector)
    mean = vector[:-1] / vector[-1]
    gradient = mean[:-1] * tf.minimum(1.0, clip / tf.maximum(tf.norm(mean[:-1]), 1e-12))
    return w - rate * gradient, mean[-1]

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
