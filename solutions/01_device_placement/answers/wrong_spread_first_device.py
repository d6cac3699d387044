# exercise: spread
# score:    4/9
# breaks:   5
# fails:    spread-even: all products ask for the same device
# fails:    spread-ran: over one product more
# why:      takes the first device for all
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[0]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
