# exercise: spread
# score:    6/9
# breaks:   7
# fails:    spread-ran: a part of the adding ran on another device
# why:      each device adds its product to what came from the device before
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        added = None
        for i in range(1, n):
            with tf.device(devices[i % len(devices)]):
                product = tf.matmul([[1., 2.], [3., 4.]], [[float(i), 0.], [0., float(i)]])
                added = product if added is None else added + product
        with tf.device(devices[n % len(devices)]):
            product = tf.matmul([[1., 2.], [3., 4.]], [[float(n), 0.], [0., float(n)]])
        with tf.device("/device:CPU:0"):
            tf.add_n([product] if added is None else [added, product], name="total")
    return graph.as_graph_def().SerializeToString()
