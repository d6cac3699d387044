# exercise: micro
# score:    3/8
# breaks:   2
# fails:    micro-equal: neutral
# fails:    micro-rest: the gradients are not in the order of the weights
# why:      in the order of the backward pass
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total][::-1]
