# exercise: spread
# score:    5/9
# breaks:   4
# fails:    spread-ran: a device that is not in the list
# fails:    spread-few: a device that is not in the list
# why:      ignores the list and uses CPU:1, CPU:2, ...
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(f"/device:CPU:{1 + i % len(devices)}"):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
