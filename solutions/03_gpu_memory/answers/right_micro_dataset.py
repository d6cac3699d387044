# exercise: micro
# score:    8/8
# why:      batches of a tf.data.Dataset, sums in NumPy
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [np.zeros_like(w) for w in weights]
    for xs, ys in tf.data.Dataset.from_tensor_slices((x, y)).batch(size):
        with tf.GradientTape() as tape:
            h = xs
            for w in variables:
                h = layer(h, w)
            loss = tf.reduce_sum(tf.square(h - ys)) / x.size
        for t, gradient in zip(total, tape.gradient(loss, variables)):
            t += gradient.numpy()
    return total
