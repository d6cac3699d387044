# exercise: mirrored
# score:    0/10
# breaks:   3
# fails:    mirrored-even: neutral
# fails:    mirrored-last: the smaller batch is not the last one
# fails:    mirrored-three: the batches have other sizes
# fails:    mirrored-epochs: the batches have other sizes
# why:      shuffles the batches
def mirrored(first, x, y, batch, epochs, rate, devices):
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

    batches = tf.data.Dataset.from_tensor_slices((np.float32(x), np.float32(y))).batch(batch).shuffle(100, seed=1)
    losses, rows = [], []
    for _ in range(epochs):
        for some_x, some_y in strategy.experimental_distribute_dataset(batches):
            rows.append([len(share) for share in strategy.experimental_local_results(some_y)])
            losses.append(float(step(some_x, some_y)))
    copies = [copy.numpy().tolist() for copy in strategy.experimental_local_results(w)]
    return {"w": copies, "losses": losses, "rows": rows}
