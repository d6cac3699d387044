# exercise: micro
# score:    8/8
# why:      a tf.function for each part, sums in variables
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.Variable(tf.zeros_like(v)) for v in variables]
    width = x.shape[1]

    @tf.function(input_signature=[tf.TensorSpec([None, width]), tf.TensorSpec([None, width])])
    def add(xs, ys):
        share = tf.cast(tf.shape(xs)[0], tf.float32) / len(x)
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * share
        for t, gradient in zip(total, tape.gradient(loss, variables)):
            t.assign_add(gradient)

    for start in range(0, len(x), size):
        add(x[start : start + size], y[start : start + size])
    return [t.numpy() for t in total]
