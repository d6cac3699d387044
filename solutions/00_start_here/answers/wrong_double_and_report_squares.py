# exercise: double_and_report
# score:    2/4
# fails:    double_and_report-value, double_and_report-whole-numbers
# says:     x * x is the square
# why:      squares instead of doubling, which the number 2 does not show
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x) * tf.constant(x)
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": y.device}
