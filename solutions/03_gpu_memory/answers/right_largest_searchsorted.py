# exercise: largest
# score:    5/5
# why:      halves an array of batches: the result is a whole number of NumPy's
import numpy as np


def largest_batch(train_on, limit, step, most):
    def too_large(examples):
        tf.config.experimental.reset_memory_stats("CPU:0")
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        train_on(int(examples))
        return tf.config.experimental.get_memory_info("CPU:0")["peak"] - before > limit * 2**20

    batches = np.arange(0, most + 1, step)
    while len(batches) > 1:
        half = len(batches) // 2
        batches = batches[:half] if too_large(batches[half]) else batches[half:]
    return batches[0]
