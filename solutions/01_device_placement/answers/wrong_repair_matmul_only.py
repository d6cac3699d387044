# exercise: repair
# score:    3/7
# breaks:   4
# fails:    repair-layers: but their variables are not
# fails:    repair-more: but their variables are not
# why:      pins the products; their variables stay on CPU:0
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
            with tf.device(device):
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
