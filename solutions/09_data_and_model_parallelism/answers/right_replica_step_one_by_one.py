# exercise: replica_step
# score:    8/8
# why:      three all-reduces, a closed form for the gradient, norm by hand
def replica_step(w, x, y, rate, clip):
    context = tf.distribute.get_replica_context()
    error = tf.linalg.matvec(x, w) - y
    rows = context.all_reduce("SUM", tf.cast(tf.size(y), tf.float32))
    gradient = context.all_reduce("SUM", tf.linalg.matvec(x, error, transpose_a=True)) / rows
    loss = context.all_reduce("SUM", tf.reduce_sum(tf.square(error)) * 0.5) / rows
    norm = tf.norm(gradient)
    factor = tf.where(norm > clip, clip / norm, 1.0)
    return w - rate * factor * gradient, loss

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
