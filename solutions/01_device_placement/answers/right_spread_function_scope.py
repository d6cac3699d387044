# exercise: spread
# score:    9/9
# why:      one device function for the whole graph, which counts the matmuls

import itertools


def spread(n, devices):
    turn = itertools.cycle(devices)
    graph = tf.Graph()
    with graph.as_default(), tf.compat.v1.device(lambda op: op.device or (next(turn) if op.type == "MatMul" else "")):
        products = [tf.linalg.matmul([[1., 2.], [3., 4.]], [[float(i), 0.], [0., float(i)]]) for i in range(1, n + 1)]
        with tf.device("/cpu:0"):
            tf.math.accumulate_n(products, name="total") if n > 1 else tf.identity(products[0], name="total")
    return graph.as_graph_def().SerializeToString()
