# exercise: train
# score:    13/13
# why:      sums of rows travel; the division comes after
def train(i, n, reduce, weights, x, y, batches, rate):
    weights = list(weights)
    for batch in batches:
        mine = np.array_split(batch[::-1], n)[i].astype(int)
        with tf.GradientTape() as tape:
            variables = [tf.convert_to_tensor(weight) for weight in weights]
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, tf.gather(x, mine), tf.gather(y, mine)))
        found = tape.gradient(loss, variables)
        total = np.array(reduce(np.hstack([np.ravel(gradient) for gradient in found])))
        total *= np.float32(rate / len(batch))
        for k in range(len(weights)):
            step, total = total[: weights[k].size], total[weights[k].size :]
            weights[k] = weights[k] - step.reshape(weights[k].shape)
    return weights
