# exercise: train
# score:    13/13
# why:      variables and Keras' SGD
def train(i, n, reduce, weights, x, y, batches, rate):
    variables = [tf.Variable(weight) for weight in weights]
    optimizer = tf.keras.optimizers.SGD(learning_rate=rate)
    for batch in batches:
        first, last = i * len(batch) // n, (i + 1) * len(batch) // n
        mine = np.array(batch[first:last], int)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch)
        gradients = tape.gradient(loss, variables)
        total = reduce(tf.concat([tf.reshape(g, [-1]) for g in gradients], 0).numpy())
        parts = tf.split(total, [int(tf.size(v)) for v in variables])
        shaped = [tf.reshape(part, v.shape) for part, v in zip(parts, variables)]
        optimizer.apply_gradients(zip(shaped, variables))
    return [variable.numpy() for variable in variables]
