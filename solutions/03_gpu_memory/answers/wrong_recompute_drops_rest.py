# exercise: recompute
# score:    4/5
# breaks:   3
# fails:    recompute-blocks: the last weight has a gradient of zeros: the last, smaller block was left out
# why:      leaves out the layers that fill no block
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
        for start in range(0, len(variables) // block * block, block):
            h = run_block(variables[start : start + block])(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return [np.zeros_like(w) if g is None else g.numpy() for g, w in zip(tape.gradient(loss, variables), weights)]
