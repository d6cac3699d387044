# exercise: spread
# score:    3/10
# fails:    spread-sum, spread-ran, spread-few
# says:     every i is 0 here
# why:      counts anew, from 0, on each device
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for k in range(n):
            with tf.device(devices[k % len(devices)]):
                i = float(k // (len(devices) * n))
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), tf.constant([[i, 0.], [0., i]])))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
