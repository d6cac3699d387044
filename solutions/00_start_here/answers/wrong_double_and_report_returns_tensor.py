# exercise: double_and_report
# score:    2/4
# breaks:   3
# fails:    double_and_report-value: value is a tensor or an array
# fails:    double_and_report-whole-numbers: value is a tensor or an array
# why:      the value is left as a tensor, which is no plain value
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {"value": doubled, "dtype": doubled.dtype.name, "device": doubled.device}
