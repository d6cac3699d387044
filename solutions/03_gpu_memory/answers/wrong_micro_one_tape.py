# exercise: micro
# score:    6/8
# breaks:   6
# fails:    micro-memory: it needs as much as the plain step: are all activations there at once?
# why:      one tape over all parts keeps the activations of each
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    with tf.GradientTape() as tape:
        loss = 0.0
        for start in range(0, len(x), size):
            xs, ys = x[start : start + size], y[start : start + size]
            loss += loss_of(variables, tf.constant(xs), tf.constant(ys)) * (len(xs) / len(x))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
