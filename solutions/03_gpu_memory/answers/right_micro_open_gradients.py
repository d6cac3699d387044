# exercise: micro
# score:    8/8
# why:      one graph for all micro-batches, which leaves their number open, and tf.gradients, which works in graphs only
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    rows = tf.TensorSpec([None, x.shape[1]])

    @tf.function(input_signature=[rows, rows])
    def part(xs, ys):
        gradients = tf.gradients(loss_of(variables, xs, ys), variables)
        return [gradient * tf.cast(tf.shape(xs)[0], tf.float32) for gradient in gradients]

    total = [np.zeros_like(w) for w in weights]
    for start in range(0, len(x), size):
        grads = part(tf.constant(x[start : start + size]), tf.constant(y[start : start + size]))
        total = [t + g.numpy() for t, g in zip(total, grads)]
    return [t / np.float32(len(x)) for t in total]
