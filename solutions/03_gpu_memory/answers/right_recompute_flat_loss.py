# exercise: recompute
# score:    5/5
# why:      the loss of one flat vector
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]

    def several(mine):
        def run(h):
            for w in mine:
                h = layer(h, w)
            return h
        return run

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for start in range(0, len(variables), block):
            h = tf.recompute_grad(several(variables[start:start + block]))(h)
        loss = tf.reduce_mean(tf.square(tf.reshape(h - y, [-1])))
    return [g.numpy() for g in tape.gradient(loss, variables)]
