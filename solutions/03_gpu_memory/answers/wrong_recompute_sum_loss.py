# exercise: recompute
# score:    2/5
# breaks:   1
# fails:    recompute-equal: neutral
# fails:    recompute-blocks: neutral
# why:      the sum of the loss, not its mean
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
        loss = tf.reduce_sum(tf.square(h - y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
