# exercise: pins
# score:    7/7
# why:      reads the partitions by hand, and the requests of the GraphDef
def asked_and_placed(pins, soft):
    def chain(x):
        product = tf.matmul(x, x)
        products = []
        for number, (name, pin) in enumerate(pins.items()):
            with tf.device(pin or None):
                previous = products[-1] if number else x
                product = tf.linalg.matmul(previous, x, name=name)
            products.append(product)
        return products[-1]

    chain = tf.function(chain)
    x = tf.constant([[1., 1.], [0., 1.]])
    requests = {node.name: node.device for node in chain.get_concrete_function(x).graph.as_graph_def().node}
    report = {"asked": {name: requests[name] for name in pins}, "placed": {}, "value": None}
    old = tf.config.get_soft_device_placement()
    try:
        tf.config.set_soft_device_placement(soft)
        result, metadata = trace_function(chain, x)
        for partition in metadata.partition_graphs:
            for node in partition.node:
                if node.name in pins:
                    report["placed"][node.name] = node.device.split("device:")[1]
        report["value"] = [[float(number) for number in row] for row in result.numpy()]
    except Exception:
        report["placed"] = {}
    tf.config.set_soft_device_placement(old)
    return report
