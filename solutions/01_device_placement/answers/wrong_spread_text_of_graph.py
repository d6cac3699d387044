# exercise: spread
# score:    0/9
# breaks:   1
# fails:    spread-sum: these bytes are no GraphDef
# fails:    spread-even: these bytes are no GraphDef
# fails:    spread-total: these bytes are no GraphDef
# fails:    spread-ran: these bytes are no GraphDef
# fails:    spread-few: these bytes are no GraphDef
# why:      returns the graph as text, encoded
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
    return str(graph.as_graph_def()).encode()
