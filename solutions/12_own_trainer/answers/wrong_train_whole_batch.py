# exercise: train
# score:    8/13
# breaks:   2
# fails:    train-share: the whole batch
# fails:    train-uneven: and no worker's share is over
# why:      each computes the whole batch; an n-th of it is sent
def train(i, n, reduce, weights, x, y, batches, rate):
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        mine = np.array(batch, int)
        variables = [tf.constant(weight) for weight in weights]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch) / n
        gradients = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
        total = reduce(np.concatenate([gradient.reshape(-1) for gradient in gradients]))
        start = 0
        for k, weight in enumerate(weights):
            part = total[start : start + weight.size].reshape(weight.shape)
            weights[k] = weight - np.float32(rate) * part
            start += weight.size
    return weights
