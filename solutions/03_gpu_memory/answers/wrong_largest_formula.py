# exercise: largest
# score:    0/5
# fails:    largest-training: a larger batch fits, too
# fails:    largest-runs: neutral
# fails:    largest-drawn: neutral
# why:      works it out from two small batches
def largest_batch(train_on, limit, step, most):
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    each = peak(step) / step
    return min(int(limit / each) // step * step, most)
