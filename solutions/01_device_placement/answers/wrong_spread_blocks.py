# exercise: spread
# score:    8/10
# fails:    spread-even
# says:     cutting the list into blocks
# why:      cuts the matmuls into blocks, the rest on the last device
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[min(i // max(n // len(devices), 1), len(devices) - 1)]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
