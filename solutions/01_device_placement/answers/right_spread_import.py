# exercise: spread
# score:    9/9
# why:      pins after the graph was made, in the GraphDef
def spread(n, devices):
    with tf.Graph().as_default() as graph:
        products = [tf.matmul(tf.constant([[1., 2.], [3., 4.]]), tf.linalg.diag([i + 1., i + 1.])) for i in range(n)]
        tf.add_n(products, name="total")
    definition, count = graph.as_graph_def(), 0
    for node in definition.node:
        if node.op == "MatMul":
            node.device = devices[count % len(devices)]
            count += 1
        if node.name == "total":
            node.device = "/device:CPU:0"
    return definition.SerializeToString()
