# exercise: spread
# score:    0/9
# breaks:   1
# fails:    spread-sum: SerializeToString
# fails:    spread-even: SerializeToString
# fails:    spread-total: SerializeToString
# fails:    spread-ran: SerializeToString
# fails:    spread-few: SerializeToString
# why:      returns the GraphDef, not its bytes
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def()
