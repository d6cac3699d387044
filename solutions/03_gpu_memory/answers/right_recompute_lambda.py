# exercise: recompute
# score:    5/5
# why:      lambdas with defaults
def recomputed_gradients(weights, x, y, block):
    variables = list(map(tf.Variable, weights))
    with tf.GradientTape() as tape:
        h = tf.convert_to_tensor(x)
        for i in range(0, len(variables), block):
            def inside(h, some=tuple(variables[i : i + block])):
                for w in some:
                    h = h + tf.nn.relu(tf.matmul(h, w))
                return h
            h = tf.recompute_grad(lambda h, inside=inside: inside(h))(h)
        loss = tf.reduce_mean((h - y) ** 2)
    return [np.array(gradient) for gradient in tape.gradient(loss, variables)]
