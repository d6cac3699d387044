# exercise: replica_step
# score:    4/8
# breaks:   3
# fails:    replica_step-clip: each replica has clipped its own gradient, before the all-reduce
# fails:    replica_step-drawn: neutral
# why:      clips its part of the gradient of all rows, and then adds the parts

def replica_step(w, x, y, rate, clip):
    context = tf.distribute.get_replica_context()
    rows = context.all_reduce(tf.distribute.ReduceOp.SUM, tf.cast(tf.shape(x)[0], tf.float32))
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2 / 2) / rows
    mine = [tf.clip_by_norm(tape.gradient(loss, w), clip), loss]
    gradient, loss = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    return w - rate * gradient, loss

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)
