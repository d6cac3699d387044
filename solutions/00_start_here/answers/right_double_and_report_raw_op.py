# exercise: double_and_report
# score:    4/4
# why:      an op of tf.raw_ops; the scope is opened by hand
import contextlib


def double_and_report(x, device):
    with contextlib.ExitStack() as scopes:
        scopes.enter_context(tf.device(device))
        number = tf.convert_to_tensor(x)
        twice = tf.raw_ops.Mul(x=number, y=tf.cast(2, number.dtype))
    keys = ("value", "dtype", "device")
    return dict(zip(keys, (twice.numpy().tolist(), tf.as_dtype(twice.dtype).name, twice.device)))
