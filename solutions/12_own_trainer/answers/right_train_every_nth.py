# exercise: train
# score:    13/13
# why:      every n-th row; a tf.function
def train(i, n, reduce, weights, x, y, batches, rate):
    @tf.function(reduce_retracing=True)
    def gradient_of(variables, rows, labels, size):
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, rows, labels) / size)
        gradients = tape.gradient(loss, variables)
        return tf.concat([tf.reshape(gradient, [-1]) for gradient in gradients], axis=0)

    shapes = [weight.shape for weight in weights]
    ends = np.cumsum([weight.size for weight in weights])[:-1]
    now = np.concatenate([weight.ravel() for weight in weights])
    for batch in batches:
        mine = list(batch[i::n])
        parts = [part.reshape(shape) for part, shape in zip(np.split(now, ends), shapes)]
        variables = [tf.constant(part) for part in parts]
        rows, labels = tf.constant(x[mine]), tf.constant(y[mine])
        flat = gradient_of(variables, rows, labels, tf.constant(float(len(batch))))
        now = now - np.float32(rate) * reduce(flat.numpy())
    return [part.reshape(shape) for part, shape in zip(np.split(now, ends), shapes)]
