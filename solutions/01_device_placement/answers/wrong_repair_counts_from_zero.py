# exercise: repair
# score:    3/7
# breaks:   7
# fails:    repair-runs: computes something else
# fails:    repair-more: computes something else
# why:      the weights count from 0
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                start = [[1., float(i - 1)], [0., 1.]]
                w = tf.compat.v1.get_variable(f"w{i}", initializer=start)
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
