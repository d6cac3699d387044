# exercise: sharded_adam
# score:    8/8
# why:      TensorFlow's ops
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    g = tf.constant(reduce_scatter(gradients)) / n
    step, m, v = (0, tf.zeros_like(g), tf.zeros_like(g)) if state is None else state
    step = step + 1
    m = m + 0.1 * (g - m)
    v = v + 0.001 * (g * g - v)
    padded = tf.pad(tf.constant(weights), [[0, n * len(g) - len(weights)]])
    own = tf.reshape(padded, [n, -1])[i]
    own -= rate * m / (1 - 0.9**step) / (tf.sqrt(v / (1 - 0.999**step)) + 1e-7)
    return all_gather(own.numpy())[: len(weights)], (step, m.numpy(), v.numpy())
