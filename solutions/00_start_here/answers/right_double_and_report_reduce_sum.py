# exercise: double_and_report
# score:    4/4
# why:      sums two stacked copies
def double_and_report(x, device):
    with tf.device(device):
        result = tf.reduce_sum(tf.stack([x, x]), axis=0)
    return {"device": result.device, "dtype": result.dtype.name, "value": result.numpy().tolist()}
