# exercise: recompute
# score:    3/5
# breaks:   2
# fails:    recompute-equal: a gradient is not a NumPy array of its weight's shape: .numpy()
# why:      returns tensors, of which nothing is an array
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]

    def run_block(some):
        def forward(h):
            for w in some:
                h = layer(h, w)
            return h
        return tf.recompute_grad(forward)

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for start in range(0, len(variables), block):
            h = run_block(variables[start : start + block])(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return tape.gradient(loss, variables)
