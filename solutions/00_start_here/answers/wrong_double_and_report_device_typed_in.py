# exercise: double_and_report
# score:    3/4
# fails:    double_and_report-other-device
# says:     the device is typed in or ignored
# why:      the device's name is copied from the example
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x) * 2
    where = "/job:localhost/replica:0/task:0/device:CPU:1"
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": where}
