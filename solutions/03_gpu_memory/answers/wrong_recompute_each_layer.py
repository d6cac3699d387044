# exercise: recompute
# score:    3/5
# breaks:   5
# fails:    recompute-memory: one block of 16 layers was asked for, and the blocks are smaller
# why:      each layer is a block, whatever block says
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
        for start in range(0, len(variables), 1):
            h = run_block(variables[start : start + 1])(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
