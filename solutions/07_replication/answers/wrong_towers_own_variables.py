# exercise: towers
# score:    7/9
# fails:    towers-share
# says:     a variable of its own
# why:      each tower has a variable of its own
def towers(first, shares, rate):
    rows, towers_w, updates = sum(shares), [], []
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            parts = list(zip(shares, tf.split(x, shares), tf.split(y, shares)))
        gradients = []
        for i, (share, part_x, part_y) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):
                w = v1.get_variable("w" if i == 1 else f"w{i}", initializer=np.float32(first), use_resource=True)
                towers_w.append(w)
                mine = w.read_value()
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(part_x, mine) - part_y))
                gradients.append(tf.gradients(loss, mine)[0] * (share / rows))
        with tf.device("/device:CPU:0"):
            mean = tf.add_n(gradients)
            tf.group(*[w.initializer for w in towers_w], name="init")
            tf.group(*[w.assign_sub(rate * mean) for w in towers_w], name="train")
            tf.identity(towers_w[0].read_value(), name="value")
    return graph.as_graph_def().SerializeToString()
