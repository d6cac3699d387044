# exercise: double_and_report
# score:    2/4
# fails:    double_and_report-device, double_and_report-other-device
# says:     outside the tf.device scope
# why:      the argument device is never used, so every op goes to the default device
def double_and_report(x, device):
    y = tf.constant(x) * 2
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": y.device}
