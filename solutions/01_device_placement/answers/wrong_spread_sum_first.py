# exercise: spread
# score:    5/9
# breaks:   7
# fails:    spread-total: inside the scope of a product
# fails:    spread-ran: total ran on another device
# why:      the sum goes to the first device of the list
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device(devices[0]):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
