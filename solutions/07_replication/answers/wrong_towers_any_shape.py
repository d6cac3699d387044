# exercise: towers
# score:    6/8
# breaks:   1
# fails:    towers-step: the placeholders have other shapes than the text says
# why:      placeholders of any number of rows
def towers(first, shares, rate):
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [None, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=np.float32(first), use_resource=True)
            value = tf.identity(w.read_value(), name="value")
            tf.group(w.initializer, name="init")
            parts = list(zip(shares, tf.split(tf.ensure_shape(x, [rows, len(first)]), shares), tf.split(y, shares)))
        weighted = []
        for i, (share, part_x, part_y) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):
                mine = tf.identity(value)
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(part_x, mine) - part_y))
                weighted.append(tf.gradients(loss, mine)[0] * (share / rows))
        with tf.device("/device:CPU:0"):
            tf.group(w.assign_sub(rate * tf.add_n(weighted)), name="train")
    return graph.as_graph_def().SerializeToString()
