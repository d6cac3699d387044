# exercise: micro
# score:    6/8
# breaks:   2
# fails:    micro-equal: a gradient is not a NumPy array of its weight's shape: .numpy()
# why:      returns tensors, of which nothing is an array
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return total
