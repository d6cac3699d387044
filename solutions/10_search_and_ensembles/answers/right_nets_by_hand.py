# exercise: nets
# score:    8/8
# why:      gradients and updates by hand, get_variable, mean of a stack
def side_by_side(nets, devices):
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.float32, (None, 64), "x")
        y = v1.placeholder(tf.int32, (None,), "y")
        updates, outputs = [], []
        for i, net in enumerate(nets):
            with v1.variable_scope(f"net{i}"), tf.device(devices[i % len(devices)]):
                start = first_values(net["units"], net["seed"])
                w1 = v1.get_variable("w1", initializer=tf.constant(start[0]))
                w2 = v1.get_variable("w2", initializer=tf.constant(start[1]))
                p = tf.nn.softmax(tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2), name="probabilities")
                right = tf.reduce_sum(p * tf.one_hot(y, 10), axis=1)
                loss = tf.negative(tf.reduce_mean(tf.math.log(right)), name="loss")
                for w, g in zip((w1, w2), tf.gradients(loss, [w1, w2])):
                    updates.append(v1.assign_sub(w, net["rate"] * g))
                outputs.append(p)
        with graph.control_dependencies(updates):
            tf.no_op("train")
        with tf.device("CPU:0"):
            tf.reduce_mean(tf.stack(outputs), axis=0, name="ensemble")
        v1.global_variables_initializer()
    return graph.as_graph_def().SerializeToString()
