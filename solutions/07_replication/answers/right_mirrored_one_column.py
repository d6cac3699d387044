# exercise: mirrored
# score:    10/10
# why:      a matrix product, and an explicit iterator
def mirrored(first, x, y, batch, epochs, rate, devices):
    strategy = replicas_on(list(devices))
    with strategy.scope():
        w = tf.Variable(np.float32(first)[:, None])
    x, y = np.asarray(x, np.float32), np.asarray(y, np.float32)[:, None]
    per_epoch = -(-len(y) // batch)

    @tf.function
    def train_step(element, divisor):
        def fn(inputs, targets):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((inputs @ w - targets) ** 2) / divisor
            grad = tf.distribute.get_replica_context().all_reduce("SUM", tape.gradient(loss, w))
            w.assign_sub(rate * grad)
            return loss

        return strategy.run(fn, args=element)

    losses, rows = [], []
    for _ in range(epochs):
        elements = iter(strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((x, y)).batch(batch)))
        for number in range(per_epoch):
            element = next(elements)
            size = min(batch, len(y) - number * batch)
            parts = strategy.experimental_local_results(train_step(element, tf.constant(size, tf.float32)))
            losses.append(float(sum(parts)))
            rows.append([len(p) for p in strategy.experimental_local_results(element[0])])
    return {"w": [c.numpy()[:, 0].tolist() for c in strategy.experimental_local_results(w)], "losses": losses, "rows": rows}
