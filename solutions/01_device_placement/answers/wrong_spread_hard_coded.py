# exercise: spread
# score:    5/10
# fails:    spread-ran, spread-few
# says:     use the devices that you are given
# why:      ignores the list and uses CPU:1, CPU:2, ...
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(f"/device:CPU:{1 + i % len(devices)}"):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
