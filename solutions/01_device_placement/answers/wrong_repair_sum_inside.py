# exercise: repair
# score:    6/7
# breaks:   5
# fails:    repair-output: output is not on CPU:0
# why:      the sum is inside the last layer's scope
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
                if i == len(devices):
                    tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
