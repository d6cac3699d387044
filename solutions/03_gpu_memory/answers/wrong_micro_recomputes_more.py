# exercise: micro
# score:    6/8
# breaks:   9
# fails:    micro-memory: a forward pass has more examples than size
# why:      the whole batch in one pass, recomputed by smaller blocks where size is smaller
def micro_gradients(weights, x, y, size):
    """No micro-batches at all: the whole batch, recomputed by blocks of 4, where size is small."""
    variables = [tf.Variable(w) for w in weights]
    block = max(1, round(len(weights) * (size / len(x)) ** 0.6))

    def run_block(some):
        def forward(h):
            for w in some:
                h = layer(h, w)
            return h
        return tf.recompute_grad(forward)

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for start in range(0, len(variables), block):
            some = variables[start : start + block]
            if block >= len(weights):
                for w in some:
                    h = layer(h, w)
            else:
                h = run_block(some)(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
