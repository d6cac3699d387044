# exercise: nets
# score:    6/8
# breaks:   2
# fails:    nets-devices: matmuls of a network's gradients are on another device
# why:      the matmuls of all gradients are on one other device
def side_by_side(nets, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        y = v1.placeholder(tf.int32, [None], name="y")
        steps, probabilities, todo = [], [], []
        for i, net in enumerate(nets):
            with tf.device(devices[i % len(devices)]), tf.name_scope(f"net{i}"):
                first = first_values(net["units"], net["seed"])
                w1 = v1.Variable(first[0], name="w1"); w2 = v1.Variable(first[1], name="w2")
                h = tf.nn.relu(tf.matmul(x, w1))
                logits = tf.matmul(h, w2)
                probabilities.append(tf.nn.softmax(logits, name="probabilities"))
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), name="loss")
            with tf.device("/device:CPU:3"):
                g = v1.gradients(loss, logits)[0]
                g2 = tf.matmul(h, g, transpose_a=True)
                gh = tf.where(h > 0, tf.matmul(g, w2, transpose_b=True), tf.zeros_like(h))
                g1 = tf.matmul(x, gh, transpose_a=True)
                todo.append((w1, net["rate"] * g1)); todo.append((w2, net["rate"] * g2))
        with tf.control_dependencies([g for _, g in todo]):
            tf.group(*[w.assign_sub(g) for w, g in todo], name="train")
        with tf.device("/device:CPU:0"):
            tf.divide(tf.add_n(probabilities), float(len(nets)), name="ensemble")
        tf.group(*[v.initializer for v in v1.global_variables()], name="init")
    return graph.as_graph_def().SerializeToString()
