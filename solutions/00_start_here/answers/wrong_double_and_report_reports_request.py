# exercise: double_and_report
# score:    2/4
# fails:    double_and_report-device, double_and_report-other-device
# says:     this is the request
# why:      takes the request for what happened
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x) * 2
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": device}
