# exercise: pins
# score:    6/7
# breaks:   7
# fails:    pins-setting: not put back as it was
# why:      sets the opposite of soft afterwards, instead of what was set before
def asked_and_placed(pins, soft):
    @tf.function
    def products(x):
        h = x
        for name, pin in pins.items():
            with tf.device(pin or None):
                h = tf.matmul(h, x, name=name)
        return h

    x = tf.constant([[1.0, 1.0], [0.0, 1.0]])
    tf.config.set_soft_device_placement(soft)
    report = {"asked": {}, "placed": {}, "value": None}
    try:
        for op in products.get_concrete_function(x).graph.get_operations():
            if op.name in pins:
                report["asked"][op.name] = op.device
        total, metadata = trace_function(products, x)
        for partition in metadata.partition_graphs:
            for node in partition.node:
                if node.name in pins:
                    report["placed"][node.name] = node.device.split("device:")[-1]
        report["value"] = total.numpy().tolist()
    except tf.errors.OpError:
        pass
    finally:
        tf.config.set_soft_device_placement(not soft)
    return report
