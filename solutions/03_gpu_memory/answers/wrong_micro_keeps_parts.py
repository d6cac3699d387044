# exercise: micro
# score:    6/8
# breaks:   7
# fails:    micro-memory: neutral
# why:      keeps the gradients of each part and adds them up at the end
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    parts = []
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        parts.append(tape.gradient(loss, variables))
    return [sum(gradients).numpy() for gradients in zip(*parts)]
