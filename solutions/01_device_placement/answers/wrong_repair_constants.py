# exercise: repair
# score:    6/7
# breaks:   7
# fails:    repair-output: the variables became constants
# why:      constants instead of variables
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.constant([[1., float(i)], [0., 1.]], name=f"w{i}")
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
