# exercise: double_and_report
# score:    2/4
# breaks:   2
# fails:    double_and_report-device: inside `with tf.device(device):`
# fails:    double_and_report-other-device: both requests get the same device
# why:      the argument device is never used, so every op goes to the default device
def double_and_report(x, device):
    doubled = tf.constant(x) * 2
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device}
