# exercise: double_and_report
# score:    0/4
# fails:    double_and_report-value, double_and_report-device, double_and_report-whole-numbers, double_and_report-other-device
# says:     ends without return
# why:      prints the report and returns nothing
def double_and_report(x, device):
    with tf.device(device):
        y = tf.constant(x) * 2
    print({"value": y.numpy().tolist(), "dtype": y.dtype.name, "device": y.device})
