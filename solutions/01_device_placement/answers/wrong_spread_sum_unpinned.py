# exercise: spread
# score:    7/10
# fails:    spread-total, spread-few
# says:     the sum is not pinned
# why:      the sum has no pin
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
