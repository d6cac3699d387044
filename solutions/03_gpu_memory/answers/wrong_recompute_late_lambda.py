# exercise: recompute
# score:    2/5
# fails:    recompute-equal: neutral
# fails:    recompute-blocks: neutral
# why:      the lambdas look up their block when they run again, and find the last one
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]

    def inside(h, some):
        for w in some:
            h = layer(h, w)
        return h

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for i in range(0, len(variables), block):
            some = variables[i : i + block]
            h = tf.recompute_grad(lambda h: inside(h, some))(h)
        loss = tf.reduce_mean(tf.square(h - tf.constant(y)))
    return [g.numpy() for g in tape.gradient(loss, variables)]
