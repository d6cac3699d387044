# exercise: double_and_report
# score:    2/4
# breaks:   1
# fails:    double_and_report-value: x * x is the square
# fails:    double_and_report-whole-numbers: x * x is the square
# why:      squares instead of doubling, which the number 2 does not show
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * tf.constant(x)
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device}
