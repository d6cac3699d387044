# exercise: towers
# score:    8/8
# why:      the towers' means, stacked, times their shares
def towers(first, shares, rate):
    n, rows = len(first), sum(shares)
    graph = tf.Graph()
    with graph.as_default(), tf.device("/device:CPU:0"):
        x = v1.placeholder(np.float32, [rows, n], name="x")
        y = v1.placeholder(np.float32, [rows], name="y")
        w = v1.Variable(tf.constant(first, tf.float32), name="w")
        tf.group(w.initializer, name="init")
        value = tf.identity(w.read_value(), "value")
        xs, ys = tf.split(x, shares, axis=0), tf.split(y, shares, axis=0)
        means = []
        for k in range(len(shares)):
            with tf.device(f"/CPU:{k + 1}"):
                here = tf.identity(value)
                error = tf.squeeze(xs[k] @ here[:, tf.newaxis], 1) - ys[k]
                means.append(v1.gradients(tf.reduce_mean(error**2), [here])[0])
        weights = tf.constant([[share / rows] for share in shares])
        gradient = tf.reduce_sum(tf.stack(means) * weights, axis=0)
        update = v1.assign_sub(w, gradient * rate)
        tf.group(update, name="train")
    return graph.as_graph_def().SerializeToString()
