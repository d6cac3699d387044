# exercise: towers
# score:    8/8
# why:      gradients with names, and an assign at the end
def towers(first, shares, rate):
    graph, total = tf.Graph(), sum(shares)
    with graph.as_default():
        with tf.device("CPU:0"):
            y = v1.placeholder("float32", (total,), "y")
            x = v1.placeholder("float32", (total, len(first)), "x")
            w = v1.Variable(np.array(first, "float32"), name="w", use_resource=True)
            now = tf.identity(w, name="value")
            with tf.control_dependencies([w.initializer]):
                tf.no_op("init")
        ends = np.cumsum(shares)
        sums = []
        for k, end in enumerate(ends):
            with tf.device("CPU:0"):
                rows = slice(end - shares[k], end)
                my_x, my_y = x[rows], y[rows]
            with tf.device("CPU:%d" % (k + 1)):
                copy = tf.identity(now)
                error = tf.reduce_sum(my_x * copy, axis=1) - my_y
                sums.append(tf.gradients(tf.reduce_sum(error * error), copy)[0])
        with tf.device("CPU:0"):
            mean = sum(sums[1:], sums[0]) / total
            with tf.control_dependencies([w.assign(now - rate * mean)]):
                tf.no_op("train")
    return graph.as_graph_def().SerializeToString()
