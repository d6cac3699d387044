# exercise: pins
# score:    3/7
# breaks:   2
# fails:    pins-hard: soft placement was on
# fails:    pins-drawn: soft placement was on
# why:      does not look at soft
def asked_and_placed(pins, soft):
    @tf.function
    def products(x):
        value = x
        for name, pin in pins.items():
            with tf.device(pin):
                value = tf.matmul(value, x, name=name)
        return value

    x = tf.constant([[1., 1.], [0., 1.]])
    graph = products.get_concrete_function(x).graph
    asked = {name: graph.get_operation_by_name(name).device for name in pins}
    before = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(True)
    try:
        value, metadata = trace_function(products, x)
    except tf.errors.InvalidArgumentError:
        return {"asked": asked, "placed": {}, "value": None}
    finally:
        tf.config.set_soft_device_placement(before)
    record = placement_of(metadata)
    return {"asked": asked, "placed": {name: record[name] for name in pins}, "value": value.numpy().tolist()}
