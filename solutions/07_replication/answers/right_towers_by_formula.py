# exercise: towers
# score:    8/8
# why:      the gradient written out
def towers(first, shares, rate):
    with tf.Graph().as_default() as graph:
        with tf.device("CPU:0"):
            x = v1.placeholder(tf.float32, [sum(shares), len(first)], "x")
            y = v1.placeholder(tf.float32, [sum(shares)], "y")
            w = v1.get_variable("w", initializer=np.array(first, np.float32))
            now = tf.identity(w, "value")
            tf.group(w.initializer, name="init")
            xs, ys = tf.split(x, shares), tf.split(y, shares)
        sums = []
        for i in range(len(shares)):
            with tf.device(f"CPU:{i + 1}"):
                copy = tf.reshape(now, [-1, 1])
                error = xs[i] @ copy - ys[i][:, None]
                sums.append(tf.reshape(2.0 * tf.matmul(xs[i], error, transpose_a=True), [-1]))
        with tf.device("CPU:0"):
            mean = tf.add_n(sums) / sum(shares)
            with tf.control_dependencies([w.assign(now - rate * mean)]):
                tf.no_op("train")
    return graph.as_graph_def().SerializeToString()
