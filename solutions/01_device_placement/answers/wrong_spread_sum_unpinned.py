# exercise: spread
# score:    8/9
# breaks:   7
# fails:    spread-total: the sum is not pinned
# why:      the sum has no pin
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
