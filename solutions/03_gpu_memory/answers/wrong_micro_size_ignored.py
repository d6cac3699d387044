# exercise: micro
# score:    6/8
# breaks:   9
# fails:    micro-memory: the micro-batches are smaller than the size
# why:      always takes forty parts, whatever size says
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [np.zeros_like(w) for w in weights]
    for start in range(0, len(x), max(1, len(x) // 40)):
        xs, ys = x[start : start + max(1, len(x) // 40)], y[start : start + max(1, len(x) // 40)]
        with tf.GradientTape() as tape:
            loss = loss_of(variables, tf.constant(xs), tf.constant(ys))
        for t, g in zip(total, tape.gradient(loss, variables)):
            t += g.numpy() * (len(xs) / len(x))
    return total
