# exercise: spread
# score:    3/9
# breaks:   4
# fails:    spread-even: a product has no pin
# fails:    spread-ran: over one product more
# fails:    spread-few: the product has no pin
# why:      the scope is around an op that was created before
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            product = tf.matmul([[1., 2.], [3., 4.]], [[float(i), 0.], [0., float(i)]])
            with tf.device(devices[i % len(devices)]):
                products.append(product)
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
