# exercise: spread
# score:    7/9
# breaks:   3
# fails:    spread-sum: the dtype is int32
# why:      whole numbers in the matrices make int32 constants
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1, 2], [3, 4]])
                scale = tf.constant([[i, 0], [0, i]])
                products.append(tf.matmul(matrix, scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
