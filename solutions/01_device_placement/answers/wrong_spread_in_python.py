# exercise: spread
# score:    1/9
# breaks:   2
# fails:    spread-sum: one MatMul for each number
# fails:    spread-even: the graph has no MatMul
# fails:    spread-ran: not one MatMul for each
# fails:    spread-few: one product is one MatMul
# why:      works the products out in NumPy: no MatMul in the graph
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                scale = np.float32([[i, 0], [0, i]])
                products.append(tf.constant(np.float32([[1, 2], [3, 4]]) @ scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
