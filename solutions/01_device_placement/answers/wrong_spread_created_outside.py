# exercise: spread
# score:    3/10
# fails:    spread-even, spread-ran, spread-few
# says:     outside its device scope
# why:      the scope is around an op that was created before
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = [tf.matmul([[1., 2.], [3., 4.]], [[i + 1., 0.], [0., i + 1.]]) for i in range(n)]
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                products[i] = products[i]
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
