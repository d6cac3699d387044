# exercise: towers
# score:    6/8
# breaks:   6
# fails:    towers-bytes: a tower gets all rows of the batch: split them on CPU:0
# why:      each tower gets the whole batch and takes its rows out of it
def towers(first, shares, rate):
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=np.float32(first), use_resource=True)
            value = tf.identity(w.read_value(), name="value")
            tf.group(w.initializer, name="init")
            parts = list(zip(shares, np.cumsum(shares) - shares))
        weighted = []
        for i, (share, start) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):
                mine = tf.identity(value)
                part_x, part_y = tf.identity(x)[start : start + share], tf.identity(y)[start : start + share]
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(part_x, mine) - part_y))
                weighted.append(tf.gradients(loss, mine)[0] * (share / rows))
        with tf.device("/device:CPU:0"):
            tf.group(w.assign_sub(rate * tf.add_n(weighted)), name="train")
    return graph.as_graph_def().SerializeToString()
