# exercise: micro
# score:    6/8
# breaks:   9
# fails:    micro-memory: a forward pass has more examples than size
# why:      the whole batch in one pass, recomputed, by a graph that leaves the number of examples open
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    if size >= len(x):
        return [np.array(g) for g in plain_gradients(weights, x, y)]

    def make(some):
        @tf.recompute_grad
        def run(h):
            for w in some:
                h = layer(h, w)
            return h
        return run

    blocks = [make(variables[i : i + 3]) for i in range(0, len(variables), 3)]

    @tf.function(input_signature=[tf.TensorSpec([None, x.shape[1]]), tf.TensorSpec([None, x.shape[1]])])
    def step(x, y):
        with tf.GradientTape() as tape:
            h = x
            for run in blocks:
                h = run(h)
            loss = tf.reduce_mean(tf.square(h - y))
        return tape.gradient(loss, variables)

    return [gradient.numpy() for gradient in step(tf.constant(x), tf.constant(y))]
