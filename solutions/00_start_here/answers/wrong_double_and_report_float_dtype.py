# exercise: double_and_report
# score:    3/4
# fails:    double_and_report-whole-numbers
# says:     the whole numbers were made into floats
# why:      believes that tensors always hold float32
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x, dtype=tf.float32) * 2
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": y.device}
