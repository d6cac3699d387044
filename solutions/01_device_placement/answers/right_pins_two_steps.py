# exercise: pins
# score:    7/7
# why:      first the experiment without a report, then the report
def asked_and_placed(pins, soft):
    @tf.function
    def products(x):
        made = [x]
        for name in pins:
            with tf.device(pins[name]):
                made.append(tf.matmul(made[-1], x, name=name))
        return made[-1]

    x = tf.convert_to_tensor([[1.0, 1.0], [0.0, 1.0]])
    outcome = None
    before = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(soft)
    try:
        outcome = trace_function(products, x)
    except tf.errors.InvalidArgumentError:
        pass
    tf.config.set_soft_device_placement(before)
    graph = products.get_concrete_function(x).graph
    report = {"asked": {name: graph.get_operation_by_name(name).device for name in pins}}
    report["placed"] = {name: placement_of(outcome[1])[name] for name in pins} if outcome else {}
    report["value"] = outcome[0].numpy().tolist() if outcome else None
    return report
