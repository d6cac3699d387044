# exercise: recompute
# score:    3/5
# fails:    recompute-memory: cut into micro-batches
# why:      micro-batches by a graph that leaves the number of examples open
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]
    size = max(1, -(-len(x) * block // len(weights)))
    if block >= len(weights):
        return [np.array(g) for g in plain_gradients(weights, x, y)]

    @tf.function(input_signature=[tf.TensorSpec([None, x.shape[1]]), tf.TensorSpec([None, x.shape[1]])])
    def step(xs, ys):
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys)
        return tape.gradient(loss, variables)

    total = [np.zeros_like(w) for w in weights]
    for start in range(0, len(x), size):
        xs, ys = x[start : start + size], y[start : start + size]
        total = [t + g.numpy() * np.float32(len(xs) / len(x)) for t, g in zip(total, step(tf.constant(xs), tf.constant(ys)))]
    return total
