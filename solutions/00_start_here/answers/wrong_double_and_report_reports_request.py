# exercise: double_and_report
# score:    2/4
# breaks:   5
# fails:    double_and_report-device: this is the request
# fails:    double_and_report-other-device: this is the request
# why:      takes the request for what happened
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": device}
