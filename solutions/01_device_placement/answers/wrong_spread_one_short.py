# exercise: spread
# score:    1/10
# fails:    spread-sum, spread-even, spread-ran, spread-few
# says:     count the products
# why:      off by one: n - 1 matmuls
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n - 1):
            with tf.device(devices[i % len(devices)]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products or [tf.zeros([2, 2])], name="total")
    return graph.as_graph_def().SerializeToString()
