# exercise: repair
# score:    3/7
# breaks:   7
# fails:    repair-runs: computes something else
# fails:    repair-more: computes something else
# why:      takes the mean for the sum
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_mean(h, name="output")
    return graph.as_graph_def().SerializeToString()
