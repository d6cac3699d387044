# exercise: spread
# score:    5/10
# fails:    spread-even, spread-ran
# says:     inside the first scope
# why:      one scope around the loop: everything in the first
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[0]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
