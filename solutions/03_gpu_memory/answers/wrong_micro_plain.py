# exercise: micro
# score:    6/8
# breaks:   6
# fails:    micro-memory: it needs as much as the plain step: are all activations there at once?
# why:      computes the whole batch at once
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), len(x)):
        xs, ys = tf.constant(x[start : start + len(x)]), tf.constant(y[start : start + len(x)])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
