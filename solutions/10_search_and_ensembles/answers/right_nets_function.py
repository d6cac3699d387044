# exercise: nets
# score:    8/8
# why:      the network in a function, devices from a cycle
import itertools

def one(i, net, x, y):
    w1, w2 = (v1.Variable(w, name=f"net{i}/w{n}") for n, w in enumerate(first_values(net["units"], net["seed"]), 1))
    z = tf.nn.relu(x @ w1) @ w2
    cost = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(y, 10), logits=z)
    loss = tf.reduce_mean(cost, name=f"net{i}/loss")
    grads = v1.train.GradientDescentOptimizer(net["rate"]).compute_gradients(loss, [w1, w2])
    step = v1.train.GradientDescentOptimizer(net["rate"]).apply_gradients(grads)
    return tf.nn.softmax(z, name=f"net{i}/probabilities"), step

def side_by_side(nets, devices):
    with tf.Graph().as_default() as graph:
        x, y = v1.placeholder(tf.float32, [None, 64], name="x"), v1.placeholder(tf.int32, [None], name="y")
        parts = []
        for i, (net, device) in enumerate(zip(nets, itertools.cycle(devices))):
            with tf.device(device):
                parts.append(one(i, net, x, y))
        tf.group([step for _, step in parts], name="train")
        with tf.device("/device:CPU:0"):
            tf.identity(sum(p for p, _ in parts) / len(parts), name="ensemble")
        tf.group([w.initializer for w in v1.global_variables()], name="init")
    return graph.as_graph_def().SerializeToString()
