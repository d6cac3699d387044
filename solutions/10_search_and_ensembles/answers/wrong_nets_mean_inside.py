# exercise: nets
# score:    7/9
# fails:    nets-devices
# says:     inside the scope of a network
# why:      the mean is built on the last network's device
def first_values(units, seed):
    """First values of w1 [64, units] and w2 [units, 10], as float32 arrays."""
    luck = np.random.default_rng(seed)
    return [luck.normal(0, 0.3, shape).astype("float32") for shape in ((64, units), (units, 10))]

def side_by_side(nets, devices):
    with tf.Graph().as_default() as graph:
        x, y = v1.placeholder(tf.float32, [None, 64], name="x"), v1.placeholder(tf.int32, [None], name="y")
        steps, probabilities = [], []
        for i, net in enumerate(nets):
            with tf.device(devices[i % len(devices)]), tf.name_scope(f"net{i}"):
                w1, w2 = [v1.Variable(value, name=name)
                          for name, value in zip(("w1", "w2"), first_values(net["units"], net["seed"]))]
                logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
                probabilities.append(tf.nn.softmax(logits, name="probabilities"))
                costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                loss = tf.reduce_mean(costs, name="loss")
                steps.append(v1.train.GradientDescentOptimizer(net["rate"]).minimize(loss, var_list=[w1, w2]))
        tf.group(*steps, name="train")
        with tf.device(devices[-1]):
            tf.divide(tf.add_n(probabilities), float(len(nets)), name="mean")
        v1.variables_initializer(v1.global_variables(), name="init")
    return graph.as_graph_def().SerializeToString()
