# exercise: towers
# score:    8/8
# why:      an optimizer, and a loss that is a sum over the batch's rows
def towers(first, shares, rate):
    with tf.Graph().as_default() as graph:
        rows, begin, gradients = sum(shares), 0, []
        optimizer = v1.train.GradientDescentOptimizer(rate)
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=tf.constant(first))
            v1.variables_initializer([w], name="init")
            value = tf.identity(w.read_value(), name="value")
        for k, share in enumerate(shares):
            with tf.device("/device:CPU:0"):
                xs, ys = x[begin:begin + share], y[begin:begin + share]
            with tf.device(f"/device:CPU:{k + 1}"):
                loss = tf.reduce_sum((tf.linalg.matvec(xs, value) - ys) ** 2) / rows
                gradients += tf.gradients(loss, [value])
            begin += share
        with tf.device("/device:CPU:0"):
            optimizer.apply_gradients([(tf.add_n(gradients), w)], name="train")
    return graph.as_graph_def().SerializeToString()
