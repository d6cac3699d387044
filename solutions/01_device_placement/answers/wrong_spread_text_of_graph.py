# exercise: spread
# score:    0/10
# fails:    spread-sum, spread-even, spread-total, spread-ran, spread-few
# says:     these bytes are not a GraphDef
# why:      returns the graph as text, encoded
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return str(graph.as_graph_def()).encode()
