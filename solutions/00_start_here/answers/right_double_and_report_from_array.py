# exercise: double_and_report
# score:    4/4
# why:      goes through a NumPy array; its whole numbers have 64 bits
import numpy as np


def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.add(*[tf.constant(np.array(x))] * 2)
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device}
