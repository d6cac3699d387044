# exercise: spread
# score:    1/9
# breaks:   2
# fails:    spread-sum: and no other
# fails:    spread-even: and no other
# fails:    spread-ran: not one MatMul for each
# fails:    spread-few: one product is one MatMul
# why:      makes the second matrix with a product of its own
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.matmul(tf.eye(2), tf.constant([[float(i), 0.], [0., float(i)]]))
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
