# exercise: pins
# score:    7/7
# why:      a context manager for the setting, nodes_of for the record
import contextlib


@contextlib.contextmanager
def soft_placement(wanted):
    before = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(wanted)
    try:
        yield
    finally:
        tf.config.set_soft_device_placement(before)


def asked_and_placed(pins, soft):
    @tf.function(input_signature=[tf.TensorSpec([2, 2], tf.float32)])
    def power(x):
        y = x
        for op, device in pins.items():
            with tf.device(device):
                y = tf.matmul(y, x, name=op)
        return y

    asked = {}
    for op in power.get_concrete_function().graph.get_operations():
        if op.name in pins:
            asked[op.name] = op.device
    try:
        with soft_placement(soft):
            y, metadata = trace_function(power, tf.constant([[1., 1.], [0., 1.]]))
    except tf.errors.OpError:
        return dict(asked=asked, placed={}, value=None)
    placed = {node.name: short_device(node.device) for node in nodes_of(metadata) if node.name in pins}
    return dict(asked=asked, placed=placed, value=y.numpy().tolist())
