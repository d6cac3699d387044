# exercise: pins
# score:    7/7
# why:      another op for the product, a recursive function, a graph written by hand
def asked_and_placed(pins, soft):
    names = list(pins)

    def product(x, left):
        if not left:
            return x
        before = product(x, left[:-1])
        with tf.device(pins[left[-1]]):
            return tf.raw_ops.MatMul(a=before, b=x, name=left[-1])

    run = tf.function(lambda x: product(x, names), autograph=False)
    matrix = tf.constant(np.array([[1, 1], [0, 1]], "float32"))
    graph = run.get_concrete_function(matrix).graph
    asked = {op.name: op.device for op in graph.get_operations() if op.type == "MatMul"}
    setting = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(bool(soft))
    placed, value = {}, None
    try:
        result, record = trace_function(run, matrix)
        placed = {name: device for name, device in placement_of(record).items() if name in names}
        value = result.numpy().tolist()
    except tf.errors.InvalidArgumentError as error:
        print(error.message)
    finally:
        tf.config.set_soft_device_placement(setting)
    return {"value": value, "placed": placed, "asked": asked}
