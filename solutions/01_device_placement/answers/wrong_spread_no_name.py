# exercise: spread
# score:    2/9
# breaks:   6
# fails:    spread-sum: no op is named total
# fails:    spread-total: no op is named total
# fails:    spread-ran: no op is named total
# fails:    spread-few: no op is named total
# why:      gives the sum no name
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products)
    return graph.as_graph_def().SerializeToString()
