# exercise: recompute
# score:    4/5
# breaks:   3
# fails:    recompute-blocks: a weight has no gradient: some layers were left out
# why:      leaves out the layers that fill no block; their gradient is None
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
    return [gradient if gradient is None else gradient.numpy() for gradient in tape.gradient(loss, variables)]
