# exercise: mirrored
# score:    7/10
# breaks:   11
# fails:    mirrored-three: not the rows that the strategy
# why:      says that the first replica had all rows
def mirrored(first, x, y, batch, epochs, rate, devices):
    """Train w by a replica on each device.

    Args:
        first: list of float, the first values of w.
        x: list of lists of float, [rows, len(first)].
        y: list of float, [rows].
        batch: int, rows of a global batch.
        epochs: int, passes over the rows.
        rate: float, the learning rate.
        devices: list of str.
    Returns:
        dict: "w", a list of float for each replica; "losses", a list of float; "rows", a list of
            int for each batch.
    """
    strategy = replicas_on(devices)
    with strategy.scope():
        w = tf.Variable(first, dtype=tf.float32)

    def replica_step(some_x, some_y):
        context = tf.distribute.get_replica_context()
        rows = context.all_reduce("SUM", tf.cast(tf.size(some_y), tf.float32))
        with tf.GradientTape() as tape:
            errors = tf.linalg.matvec(some_x, w) - some_y
            loss = tf.reduce_sum(errors**2) / rows
        w.assign_sub(rate * context.all_reduce("SUM", tape.gradient(loss, w)))
        return loss

    @tf.function
    def step(some_x, some_y):
        return strategy.reduce("SUM", strategy.run(replica_step, (some_x, some_y)), axis=None)

    batches = tf.data.Dataset.from_tensor_slices((np.float32(x), np.float32(y))).batch(batch)
    losses, rows = [], []
    for _ in range(epochs):
        for some_x, some_y in strategy.experimental_distribute_dataset(batches):
            count = sum(len(share) for share in strategy.experimental_local_results(some_y))
            rows.append([count] + [0] * (len(devices) - 1))
            losses.append(float(step(some_x, some_y)))
    copies = [copy.numpy().tolist() for copy in strategy.experimental_local_results(w)]
    return {"w": copies, "losses": losses, "rows": rows}
