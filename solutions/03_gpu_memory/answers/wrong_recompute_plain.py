# exercise: recompute
# score:    3/5
# breaks:   4
# fails:    recompute-memory: nothing is saved with blocks of 4: is tf.recompute_grad around each block?
# why:      the plain step
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]

    def run_block(some):
        def forward(h):
            for w in some:
                h = layer(h, w)
            return h
        return forward

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for start in range(0, len(variables), block):
            h = run_block(variables[start : start + block])(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
