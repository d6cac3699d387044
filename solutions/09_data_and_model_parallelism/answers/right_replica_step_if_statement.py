# exercise: replica_step
# score:    8/8
# why:      means over replicas times their number, and an if statement
def replica_step(w, x, y, rate, clip):
    context = tf.distribute.get_replica_context()
    n = context.num_replicas_in_sync
    with tf.GradientTape() as tape:
        tape.watch(w)
        losses = 0.5 * tf.math.squared_difference(tf.reduce_sum(x * w, axis=1), y)
        mine = tf.reduce_sum(losses)
    pieces = {"g": tape.gradient(mine, w), "loss": mine, "rows": tf.reduce_sum(tf.ones_like(y))}
    pieces = context.all_reduce(tf.distribute.ReduceOp.MEAN, pieces)
    rows = pieces["rows"] * n
    gradient = pieces["g"] * n / rows
    if tf.norm(gradient) > clip:
        gradient = gradient * (clip / tf.norm(gradient))
    return (w - rate * gradient, pieces["loss"] * n / rows)

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
