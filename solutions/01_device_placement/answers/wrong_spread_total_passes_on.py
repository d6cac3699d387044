# exercise: spread
# score:    6/9
# breaks:   7
# fails:    spread-ran: only passes on a sum
# why:      adds on the first device; total on CPU:0 passes the sum on
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device(devices[0]):
            added = tf.add_n(products)
        with tf.device("/device:CPU:0"):
            tf.identity(added, name="total")
    return graph.as_graph_def().SerializeToString()
