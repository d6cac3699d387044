# exercise: double_and_report
# score:    4/4
# why:      adds x to itself, and takes the plain values apart by hand
def double_and_report(x, device):
    with tf.device(device):
        result = tf.add(x, x)
    where, kind = result.device, result.dtype
    return dict(value=result.numpy().tolist(), dtype=kind.name, device=where)
