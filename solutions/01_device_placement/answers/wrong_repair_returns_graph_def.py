# exercise: repair
# score:    0/7
# breaks:   1
# fails:    repair-runs: SerializeToString
# fails:    repair-layers: SerializeToString
# fails:    repair-more: SerializeToString
# fails:    repair-output: SerializeToString
# why:      returns the GraphDef, not its bytes
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def()
