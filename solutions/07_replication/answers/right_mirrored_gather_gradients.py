# exercise: mirrored
# score:    10/10
# why:      the gradient of the sum, divided at the end; eager
def mirrored(first, x, y, batch, epochs, rate, devices):
    strategy = replicas_on(devices)
    with strategy.scope():
        w = tf.Variable(tf.constant(first, tf.float32), trainable=True)

    def replica(inputs, targets):
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(tf.square(tf.linalg.matvec(inputs, w) - targets))
        parts = [tape.gradient(total, w), total, tf.cast(tf.shape(targets)[0], tf.float32)]
        gradient, total, count = context.all_reduce(tf.distribute.ReduceOp.SUM, parts)
        w.assign(w - rate * gradient / count)
        return total / count

    step = tf.function(lambda *args: strategy.run(replica, args))
    ds = tf.data.Dataset.zip((tf.data.Dataset.from_tensor_slices(np.float32(x)), tf.data.Dataset.from_tensor_slices(np.float32(y))))
    ds = ds.batch(batch).repeat(epochs)
    losses, rows = [], []
    for inputs, targets in strategy.experimental_distribute_dataset(ds):
        local = strategy.experimental_local_results(step(inputs, targets))
        losses.append(local[0].numpy().item())
        rows.append(tuple(len(part) for part in strategy.experimental_local_results(targets)))
    return {"rows": [list(r) for r in rows], "losses": losses, "w": [c.numpy().tolist() for c in strategy.experimental_local_results(w)]}
