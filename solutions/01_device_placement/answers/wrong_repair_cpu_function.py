# exercise: repair
# score:    3/7
# fails:    repair-layers: no request of an inner scope was left
# fails:    repair-more: a product is not on its layer's device
# why:      the outer function says CPU:0 instead of GPU:0
def repair(devices):
    with tf.Graph().as_default() as graph, tf.compat.v1.device(lambda op: "/device:CPU:0"):
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
