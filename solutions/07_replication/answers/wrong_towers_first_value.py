# exercise: towers
# score:    4/8
# breaks:   10
# fails:    towers-step: neutral
# fails:    towers-batch: after ten steps value:0 is still the first one
# why:      value is a constant, not the value of w
def towers(first, shares, rate):
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=np.float32(first), use_resource=True)
            value = tf.identity(w.read_value(), name="now")
            tf.constant(np.float32(first), name="value")
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
