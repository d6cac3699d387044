# exercise: spread
# score:    4/9
# breaks:   6
# fails:    spread-sum: not the sum of all of them
# fails:    spread-ran: not one MatMul for each
# why:      adds all products but the last
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products[:-1] or products, name="total")
    return graph.as_graph_def().SerializeToString()
