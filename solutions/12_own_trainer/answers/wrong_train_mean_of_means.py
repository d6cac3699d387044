# exercise: train
# score:    6/13
# breaks:   4
# fails:    train-uneven: rows do not count the same
# fails:    train-processes: the threads do not get it right
# why:      the mean of the workers' means
def train(i, n, reduce, weights, x, y, batches, rate):
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        mine = np.array_split(np.array(batch, int), n)[i]
        variables = [tf.constant(weight) for weight in weights]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / max(1, len(mine)) / n
        gradients = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
        total = reduce(np.concatenate([gradient.reshape(-1) for gradient in gradients]))
        start = 0
        for k, weight in enumerate(weights):
            part = total[start : start + weight.size].reshape(weight.shape)
            weights[k] = weight - np.float32(rate) * part
            start += weight.size
    return weights
