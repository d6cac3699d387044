# exercise: repair
# score:    0/7
# breaks:   2
# fails:    repair-runs: still say GPU
# fails:    repair-layers: still say GPU
# fails:    repair-more: still say GPU
# fails:    repair-output: still say GPU
# why:      repairs the layers and leaves the request of x
def repair(devices):
    with tf.Graph().as_default() as graph:
        with tf.device("/device:GPU:0"):
            x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
