# exercise: towers
# score:    6/8
# breaks:   2
# fails:    towers-share: there are several variables, so the towers are not one model: make w
# why:      each tower has a variable of its own, which all get the same update
def towers(first, shares, rate):
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=np.float32(first), use_resource=True)
            others = [v1.get_variable(f"w{k}", initializer=np.float32(first)) for k in range(1, len(shares))]
            value = tf.identity(w.read_value(), name="value")
            tf.group(w.initializer, *[v.initializer for v in others], name="init")
            parts = list(zip(shares, tf.split(x, shares), tf.split(y, shares)))
        weighted = []
        for i, (share, part_x, part_y) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):
                mine = tf.identity(value)
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(part_x, mine) - part_y))
                weighted.append(tf.gradients(loss, mine)[0] * (share / rows))
        with tf.device("/device:CPU:0"):
            tf.group(*[v.assign_sub(rate * tf.add_n(weighted)) for v in [w, *others]], name="train")
    return graph.as_graph_def().SerializeToString()
