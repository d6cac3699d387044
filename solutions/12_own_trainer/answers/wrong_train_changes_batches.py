# exercise: train
# score:    12/13
# breaks:   8
# fails:    train-argument: x, y or the batches
# why:      the list of a batch is cut down in place
def train(i, n, reduce, weights, x, y, batches, rate):
    now = [np.array(w) for w in weights]
    for batch in batches:
        mine = batch[i::n]
        whole = len(batch)
        batch[:] = mine
        variables = [tf.constant(w) for w in now]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / whole
        grads = [g.numpy() for g in tape.gradient(loss, variables)]
        flat = np.concatenate([g.ravel() for g in grads])
        total = np.asarray(reduce(flat))
        at = 0
        for k, w in enumerate(now):
            now[k] = w - np.float32(rate) * total[at:at + w.size].reshape(w.shape)
            at += w.size
    return now
