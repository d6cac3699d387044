# exercise: spread
# score:    3/10
# fails:    spread-sum, spread-ran, spread-few
# says:     count from 1
# why:      numbers from 0
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
