# exercise: largest
# score:    0/5
# breaks:   1
# fails:    largest-training: a larger batch fits, too | a batch of 256 fits
# fails:    largest-runs: neutral
# fails:    largest-drawn: neutral
# why:      counts what lay on the card before as well
def largest_batch(train_on, limit, step, most):
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - 0 * before) / 2**20

    fits, too_large = 0, most // step + 1
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        if peak(middle * step) <= limit:
            fits = middle
        else:
            too_large = middle
    return fits * step
