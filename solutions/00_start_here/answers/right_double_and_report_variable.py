# exercise: double_and_report
# score:    4/4
# why:      keeps the value in a variable and doubles it there
def double_and_report(x, device):
    report = {}
    with tf.device(device):
        store = tf.Variable(x)
        store.assign_add(store)
        result = store.read_value()
    report["device"] = result.device
    report["dtype"] = result.numpy().dtype.name
    report["value"] = result.numpy().tolist()
    return report
