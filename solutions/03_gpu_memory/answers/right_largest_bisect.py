# exercise: largest
# score:    5/5
# why:      Python's bisect with a key
import bisect

def largest_batch(train_on, limit, step, most):
    def peak(examples):
        stats = tf.config.experimental
        stats.reset_memory_stats("CPU:0")
        before = stats.get_memory_info("CPU:0")["current"]
        train_on(examples)
        return (stats.get_memory_info("CPU:0")["peak"] - before) / 2**20

    batches = range(step, most + 1, step)
    return step * bisect.bisect_right(batches, limit, key=peak)
