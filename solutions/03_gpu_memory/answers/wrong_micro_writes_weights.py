# exercise: micro
# score:    7/8
# breaks:   8
# fails:    micro-arguments: an argument was written into: work with copies
# why:      adds the sum up in the list of weights
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    for w in weights:
        w[:] = 0
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        for w, gradient in zip(weights, tape.gradient(loss, variables)):
            w += gradient.numpy()
    return [w.copy() for w in weights]
