# exercise: micro
# score:    6/8
# breaks:   9
# fails:    micro-memory: the micro-batches have another size
# why:      parts of 100, whatever size is, but for the whole batch
def micro_gradients(weights, x, y, size):
    """Parts of 100, whatever size says, unless size is the whole batch."""
    if size < len(x):
        size = min(size, 100)
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
