# exercise: double_and_report
# score:    4/4
# why:      from a NumPy array, with 64 bits also for fractions; the dtype as NumPy names it
import numpy as np
def double_and_report(x, device):
    with tf.device(device):
        y = tf.identity(tf.multiply(np.array(x), 2))
    return dict(value=y.numpy().tolist(), dtype=str(y.numpy().dtype), device=y.device)
