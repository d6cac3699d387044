# exercise: micro
# score:    8/8
# why:      a tf.function that is traced for each number of examples, sums in variables, divided at the end
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w, trainable=True) for w in weights]
    sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
    n = x.shape[0]
    @tf.function(reduce_retracing=True)
    def one(xs, ys):
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * tf.cast(tf.shape(xs)[0], tf.float32)
        for s, g in zip(sums, tape.gradient(loss, variables)):
            s.assign_add(g)
    for start in range(0, n, size):
        one(tf.constant(x[start:start + size]), tf.constant(y[start:start + size]))
    return [(s / n).numpy() for s in sums]
