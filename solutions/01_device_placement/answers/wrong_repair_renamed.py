# exercise: repair
# score:    2/7
# breaks:   6
# fails:    repair-layers: another name
# fails:    repair-more: another name
# fails:    repair-output: another name
# why:      other names for the products
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"dense{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
