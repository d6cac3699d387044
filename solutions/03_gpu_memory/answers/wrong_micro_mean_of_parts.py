# exercise: micro
# score:    5/8
# breaks:   4
# fails:    micro-rest: the last micro-batch has fewer examples, and counts as much as the others
# why:      each part counts the same
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) / -(-len(x) // size)
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
