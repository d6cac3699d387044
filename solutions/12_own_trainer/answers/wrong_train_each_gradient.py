# exercise: train
# score:    12/13
# breaks:   5
# fails:    train-vector: each gradient is reduced by itself
# why:      each gradient travels by itself
def train(i, n, reduce, weights, x, y, batches, rate):
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        mine = np.array_split(np.array(batch, int), n)[i]
        variables = [tf.constant(weight) for weight in weights]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch)
        for k, gradient in enumerate(tape.gradient(loss, variables)):
            total = reduce(gradient.numpy().reshape(-1))
            weights[k] = weights[k] - np.float32(rate) * total.reshape(weights[k].shape)
    return weights
