# exercise: recompute
# score:    5/5
# why:      as a tf.function
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]

    def make(some):
        @tf.recompute_grad
        def run(h):
            for w in some:
                h = layer(h, w)
            return h
        return run

    blocks = [make(variables[i : i + block]) for i in range(0, len(variables), block)]

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            h = x
            for run in blocks:
                h = run(h)
            loss = tf.reduce_mean(tf.square(h - y))
        return tape.gradient(loss, variables)

    return [gradient.numpy() for gradient in step(tf.constant(x), tf.constant(y))]
