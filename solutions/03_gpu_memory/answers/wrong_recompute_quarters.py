# exercise: recompute
# score:    3/5
# breaks:   1
# fails:    recompute-memory: the batch was cut into micro-batches
# why:      four micro-batches in the place of the blocks
def recomputed_gradients(weights, x, y, block):
    """No recomputation at all: smaller batches where a block is not everything."""
    variables = [tf.Variable(w) for w in weights]
    size = len(x) if block >= len(weights) else max(1, len(x) // 4)
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            h = xs
            for w in variables:
                h = layer(h, w)
            loss = tf.reduce_mean(tf.square(h - ys)) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
