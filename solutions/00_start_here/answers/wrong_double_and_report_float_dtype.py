# exercise: double_and_report
# score:    3/4
# breaks:   6
# fails:    double_and_report-whole-numbers: numbers with a fraction
# why:      believes that tensors always hold float32
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x, dtype=tf.float32) * 2
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device}
