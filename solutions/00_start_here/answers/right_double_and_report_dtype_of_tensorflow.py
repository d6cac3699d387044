# exercise: double_and_report
# score:    4/4
# why:      asks TensorFlow for the dtype again; the device as str
def double_and_report(x, device):
    with tf.device(device):
        y = tf.add(x, x)
    return dict(value=y.numpy().tolist(), dtype=tf.as_dtype(y.dtype).name, device=str(y.device))
