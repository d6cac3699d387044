# exercise: mirrored
# score:    10/10
# why:      a Keras optimizer, which adds the gradients by itself
def mirrored(first, x, y, batch, epochs, rate, devices):
    strategy = replicas_on(devices)
    with strategy.scope():
        w = keras.Variable(np.float32(first), trainable=True)
        optimizer = keras.optimizers.SGD(rate)
        optimizer.build([w])

    def one_replica(data, size):
        inputs, targets = data
        with tf.GradientTape() as tape:
            errors = tf.square(tf.reduce_sum(inputs * w, axis=1) - targets)
            loss = tf.reduce_sum(errors) / size
        optimizer.apply_gradients([(tape.gradient(loss, w.value), w)])
        return loss

    @tf.function
    def one_batch(data, size):
        return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(one_replica, (data, size)), axis=None)

    data = tf.data.Dataset.from_tensor_slices((tf.constant(x, tf.float32), tf.constant(y, tf.float32)))
    shared = strategy.experimental_distribute_dataset(data.batch(batch))
    result = {"w": [], "losses": [], "rows": []}
    for _ in range(epochs):
        for element in shared:
            counts = [int(tf.shape(part)[0]) for part in strategy.experimental_local_results(element[1])]
            result["rows"].append(counts)
            result["losses"].append(one_batch(element, tf.constant(float(sum(counts)))).numpy().item())
    result["w"] = [part.numpy().tolist() for part in strategy.experimental_local_results(w.value)]
    return result
