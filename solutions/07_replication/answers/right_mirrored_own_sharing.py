# exercise: mirrored
# score:    10/10
# why:      deals the rows out by itself, in the order of the devices
def mirrored(first, x, y, batch, epochs, rate, devices):
    strategy, n = replicas_on(devices), len(devices)
    x, y = np.float32(x), np.float32(y)
    with strategy.scope():
        w = tf.Variable(np.float32(first))
    losses, rows = [], []
    for start in [k for _ in range(epochs) for k in range(0, len(y), batch)]:
        some_x, some_y = x[start : start + batch], y[start : start + batch]
        xs, ys = np.array_split(some_x, n), np.array_split(some_y, n)
        of = lambda parts: strategy.experimental_distribute_values_from_function(
            lambda context: tf.constant(parts[context.replica_id_in_sync_group]))

        def step(a, b):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((tf.linalg.matvec(a, w) - b) ** 2) / len(some_y)
            return loss, tape.gradient(loss, w)

        loss, gradient = strategy.run(tf.function(step), (of(xs), of(ys)))
        total = strategy.reduce("SUM", gradient, axis=None)
        strategy.run(lambda: w.assign_sub(rate * total))
        losses.append(float(strategy.reduce("SUM", loss, axis=None)))
        rows.append([len(part) for part in ys])
    return {"w": [c.numpy().tolist() for c in strategy.experimental_local_results(w)], "losses": losses, "rows": rows}
