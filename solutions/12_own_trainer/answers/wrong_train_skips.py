# exercise: train
# score:    10/13
# breaks:   6
# fails:    train-uneven: left the ring
# why:      a worker without rows goes on to the next batch
def train(i, n, reduce, weights, x, y, batches, rate):
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        mine = np.array_split(np.array(batch, int), n)[i]
        if len(mine) == 0:
            continue
        variables = [tf.constant(weight) for weight in weights]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch)
        gradients = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
        total = reduce(np.concatenate([gradient.reshape(-1) for gradient in gradients]))
        start = 0
        for k, weight in enumerate(weights):
            part = total[start : start + weight.size].reshape(weight.shape)
            weights[k] = weight - np.float32(rate) * part
            start += weight.size
    return weights
