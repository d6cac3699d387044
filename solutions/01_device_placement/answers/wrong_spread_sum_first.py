# exercise: spread
# score:    4/10
# fails:    spread-total, spread-ran, spread-few
# says:     inside the scope of a matmul
# why:      the sum goes to the first device of the list
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device(devices[0]):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
