# exercise: largest
# score:    0/5
# breaks:   3
# fails:    largest-training: a larger batch fits, too
# fails:    largest-runs: neutral
# fails:    largest-drawn: neutral
# why:      stops at a power of two of the step
def largest_batch(train_on, limit, step, most):
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    batch = step
    if peak(step) > limit:
        return 0
    while 2 * batch <= most and peak(2 * batch) <= limit:
        batch *= 2
    return most if batch * 2 > most and peak(most) <= limit else batch
