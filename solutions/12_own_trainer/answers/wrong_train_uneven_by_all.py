# exercise: train
# score:    10/13
# breaks:   1
# fails:    train-uneven: no worker's share is over
# why:      where n does not divide a batch, every worker computes all of it
def train(i, n, reduce, weights, x, y, batches, rate):
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        if len(batch) % n:
            mine = np.array(batch, int)
        else:
            mine = np.array_split(np.array(batch, int), n)[i]
        variables = [tf.constant(weight) for weight in weights]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch) / (n if len(batch) % n else 1)
        gradients = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
        total = reduce(np.concatenate([gradient.reshape(-1) for gradient in gradients]))
        start = 0
        for k, weight in enumerate(weights):
            part = total[start : start + weight.size].reshape(weight.shape)
            weights[k] = weight - np.float32(rate) * part
            start += weight.size
    return weights
