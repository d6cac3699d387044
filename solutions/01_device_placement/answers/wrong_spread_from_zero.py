# exercise: spread
# score:    3/9
# breaks:   3
# fails:    spread-sum: count from 1
# fails:    spread-ran: not the sum of the products 1 to n
# fails:    spread-few: count from 1
# why:      numbers from 0
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
