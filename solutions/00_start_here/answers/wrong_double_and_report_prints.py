# exercise: double_and_report
# score:    0/4
# breaks:   3
# fails:    double_and_report-value: ends without return
# fails:    double_and_report-device: ends without return
# fails:    double_and_report-whole-numbers: ends without return
# fails:    double_and_report-other-device: does not return a dict
# why:      prints the report and returns nothing
def double_and_report(x, device):
    with tf.device(device):
        doubled = tf.constant(x) * 2
    print({"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device})
