# exercise: spread
# score:    1/9
# fails:    spread-sum: one MatMul for each number
# fails:    spread-even: one MatMul for each number
# fails:    spread-ran: not one MatMul for each
# fails:    spread-few: one product is one MatMul
# why:      off by one: n - 1 products
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products or [tf.zeros([2, 2])], name="total")
    return graph.as_graph_def().SerializeToString()
