# exercise: spread
# score:    4/9
# breaks:   5
# fails:    spread-even: over one product more
# fails:    spread-ran: over one product more
# why:      cuts the products into blocks, the rest on the last device
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[min((i - 1) // max(n // len(devices), 1), len(devices) - 1)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
