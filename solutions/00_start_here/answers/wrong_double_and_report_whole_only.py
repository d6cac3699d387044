# exercise: double_and_report
# score:    3/4
# fails:    double_and_report-whole-numbers: the numbers lost their fractions
# why:      casts all to whole numbers, so that whole numbers stay whole
def double_and_report(x, device):
    with tf.device(device):
        y = tf.cast(x, tf.int32) * 2
    return {"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": y.device}
