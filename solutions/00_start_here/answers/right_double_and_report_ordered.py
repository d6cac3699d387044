# exercise: double_and_report
# score:    4/4
# why:      an OrderedDict is a dict
from collections import OrderedDict


def double_and_report(x, device):
    report = OrderedDict()
    with tf.device(device):
        result = tf.multiply(x, 2)
    report["value"] = result.numpy().tolist()
    report["dtype"] = result.dtype.name
    report["device"] = result.device
    return report
