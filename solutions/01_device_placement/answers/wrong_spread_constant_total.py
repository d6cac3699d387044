# exercise: spread
# score:    6/9
# fails:    spread-ran: not added up from the products
# why:      total is a number that Python computed, and only waits for the products
def spread(n, devices):
    factor = float(n * (n + 1) // 2)
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"), tf.control_dependencies(products):
            tf.constant([[factor, 2 * factor], [3 * factor, 4 * factor]], name="total")
    return graph.as_graph_def().SerializeToString()
