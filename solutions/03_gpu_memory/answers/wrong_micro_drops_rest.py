# exercise: micro
# score:    5/8
# breaks:   3
# fails:    micro-rest: the last, smaller micro-batch was left out
# why:      leaves out the examples that fill no micro-batch
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, max(len(x) - size + 1, 1), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
