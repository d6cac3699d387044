# exercise: double_and_report
# score:    2/4
# fails:    double_and_report-value, double_and_report-whole-numbers
# says:     value is still a tensor or array
# why:      the value is left as a tensor, which is not a plain value
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x) * 2
    return {"value": y, "dtype": y.dtype.name, "device": y.device}
