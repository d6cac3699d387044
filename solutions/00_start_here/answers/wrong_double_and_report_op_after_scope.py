# exercise: double_and_report
# score:    2/4
# breaks:   2
# fails:    double_and_report-device: inside `with tf.device(device):`
# fails:    double_and_report-other-device: both requests get the same device
# why:      only the constant is made inside the scope; the doubling is behind it
def double_and_report(x, device):
    with tf.device(device):
        start = tf.constant(x)
    doubled = start * 2
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device}
