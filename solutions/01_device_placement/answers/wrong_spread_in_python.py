# exercise: spread
# score:    1/10
# fails:    spread-sum, spread-even, spread-ran, spread-few
# says:     count the products
# why:      works the products out in NumPy: no MatMul in the graph

import numpy as np


def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                products.append(tf.constant(np.float32([[1, 2], [3, 4]]) @ np.float32([[i + 1, 0], [0, i + 1]])))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
