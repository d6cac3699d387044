# exercise: nets
# score:    6/8
# breaks:   8
# fails:    nets-train: a mean of all losses
# why:      one optimizer lowers the mean of all losses
def side_by_side(nets, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        y = v1.placeholder(tf.int32, [None], name="y")
        steps, probabilities = [], []
        for i, net in enumerate(nets):
            with tf.device(devices[i % len(devices)]), tf.name_scope(f"net{i}"):
                first = first_values(net["units"], net["seed"])
                w1 = v1.Variable(first[0], name="w1")
                w2 = v1.Variable(first[1], name="w2")
                logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
                probabilities.append(tf.nn.softmax(logits, name="probabilities"))
                costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                loss = tf.reduce_mean(costs, name="loss")
                steps.append((net["rate"], loss, [w1, w2]))
        total = tf.add_n([loss for _, loss, _ in steps]) / len(steps)
        steps = [v1.train.GradientDescentOptimizer(r).minimize(
            total, var_list=w, colocate_gradients_with_ops=True) for r, _, w in steps]
        tf.group(*steps, name="train")
        with tf.device("/device:CPU:0"):
            tf.divide(tf.add_n(probabilities), float(len(nets)), name="ensemble")
        tf.group(*[variable.initializer for variable in v1.global_variables()], name="init")
    return graph.as_graph_def().SerializeToString()
