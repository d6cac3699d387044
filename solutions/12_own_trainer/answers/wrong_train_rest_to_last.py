# exercise: train
# score:    10/13
# breaks:   2
# fails:    train-uneven: no worker's share is over
# why:      the last worker takes all rows that are over
def train(i, n, reduce, weights, x, y, batches, rate):
    """Train on n workers by gradient descent; this is worker i.

    Args:
        i, n: int, rank of this worker and number of workers.
        reduce: function: reduce(flat) returns the sum of the vectors of all workers.
        weights: list of arrays of float32, the first weights, the same on all workers.
        x: array [rows, 64] of float32. y: array [rows] of int32.
        batches: list of lists of int: the rows of each step's batch.
        rate: float, learning rate.
    Returns:
        list of arrays like weights.
    """
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        size = len(batch) // n
        mine = np.array(batch[i * size : (i + 1) * size] if i < n - 1 else batch[i * size :], int)
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

def trained(n, sizes, seed, rate):
    """Given, for the checks: weights of n threads after batches of such sizes, and of one alone."""
    return train_in_threads(train, n, sizes, seed, rate)

def trained_in_processes():
    """Given, for the checks: 150 steps of digits on three processes, if threads get it right."""
    return train_in_processes(plan, all_reduce, train)
