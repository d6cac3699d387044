# exercise: double_and_report
# score:    2/4
# fails:    double_and_report-device, double_and_report-other-device
# says:     outside the tf.device scope
# why:      only the constant is made inside the scope; the doubling stands behind it
def double_and_report(x, device):
    with tf.device(device):
        start = tf.constant(x)
    y = start * 2
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": y.device}
