# exercise: towers
# score:    6/8
# breaks:   9
# fails:    towers-bytes: computed on CPU:0 from the rows themselves
# why:      the towers send back zeros; CPU:0 computes the gradient of the whole batch
def towers(first, shares, rate):
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=np.float32(first), use_resource=True)
            value = tf.identity(w.read_value(), name="value")
            tf.group(w.initializer, name="init")
            parts = list(zip(shares, tf.split(x, shares), tf.split(y, shares)))

        back = []
        for i, (share, part_x, part_y) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):        # towers that get their rows and w, and compute nothing of use
                mine = tf.identity(value)
                back.append(mine * tf.reduce_sum(part_x) * 0.0 + 0.0 * tf.reduce_sum(part_y))
        with tf.device("/device:CPU:0"):               # one device does all of the work
            loss = tf.reduce_mean(tf.square(tf.linalg.matvec(x, value) - y))
            tf.group(w.assign_sub(rate * (tf.gradients(loss, value)[0] + tf.add_n(back))), name="train")
    return graph.as_graph_def().SerializeToString()
