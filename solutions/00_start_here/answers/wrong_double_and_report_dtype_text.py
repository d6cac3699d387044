# exercise: double_and_report
# score:    3/4
# breaks:   4
# fails:    double_and_report-whole-numbers: not the dtype's name
# why:      writes the dtype out instead of asking for its name
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {"value": doubled.numpy().tolist(), "dtype": str(doubled.dtype), "device": doubled.device}
