# exercise: nets
# score:    8/8
# why:      the variables from a collection; losses first, devices by a function
def side_by_side(nets, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        y = v1.placeholder(tf.int32, [None], name="y")
        steps, probabilities = [], []
        place = dict(enumerate(devices))
        for i, net in enumerate(nets):
            with tf.name_scope(f"net{i}"), v1.device(lambda op: place[i % len(place)]):
                first = first_values(net["units"], net["seed"])
                w1 = v1.Variable(first[0], name="w1")
                w2 = v1.Variable(first[1], name="w2")
                logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
                probabilities.append(tf.nn.softmax(logits, name="probabilities"))
                costs = -tf.gather(tf.nn.log_softmax(logits), y, batch_dims=1)
                loss = tf.reduce_mean(costs, name="loss")
                optimizer = v1.train.GradientDescentOptimizer(net["rate"])
                steps.append(optimizer.minimize(loss, var_list=[w1, w2]))
        tf.group(*steps, name="train")
        with tf.device("/device:CPU:0"):
            tf.divide(tf.add_n(probabilities), float(len(nets)), name="ensemble")
        v1.variables_initializer(graph.get_collection(v1.GraphKeys.GLOBAL_VARIABLES), name="init")
    return graph.as_graph_def().SerializeToString()
