# exercise: double_and_report
# score:    3/4
# fails:    double_and_report-whole-numbers
# says:     is not the dtype's name
# why:      writes the dtype out instead of asking for its name
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x) * 2
    return {"value": y.numpy().tolist(), "dtype": str(y.dtype), "device": y.device}
