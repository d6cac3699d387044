# exercise: towers
# score:    6/8
# fails:    towers-share: the variable has another name
# why:      the variable has another name
def towers(first, shares, rate):
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("weights", initializer=np.float32(first), use_resource=True)
            value = tf.identity(w.read_value(), name="value")
            tf.group(w.initializer, name="init")
            parts = list(zip(shares, tf.split(x, shares), tf.split(y, shares)))
        weighted = []
        for i, (share, part_x, part_y) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):
                mine = tf.identity(value)
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(part_x, mine) - part_y))
                weighted.append(tf.gradients(loss, mine)[0] * (share / rows))
        with tf.device("/device:CPU:0"):
            tf.group(w.assign_sub(rate * tf.add_n(weighted)), name="train")
    return graph.as_graph_def().SerializeToString()
