# exercise: double_and_report
# score:    3/4
# breaks:   5
# fails:    double_and_report-other-device: both requests get the same device
# why:      the device's name is copied from the example
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": "/job:localhost/replica:0/task:0/device:CPU:1"}
