# exercise: repair
# score:    3/7
# fails:    repair-layers: another order than the list's
# fails:    repair-more: a product is not on its layer's device
# why:      layer i goes to CPU:i, whatever the list says
def repair(devices):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(f"/device:CPU:{i}"):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
