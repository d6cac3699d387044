# exercise: largest
# score:    0/5
# breaks:   4
# fails:    largest-training: this is no multiple of 256
# fails:    largest-runs: neutral
# fails:    largest-drawn: neutral
# why:      returns a batch between two multiples
def largest_batch(train_on, limit, step, most):
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    fits, too_large = 0, most // step + 1
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        if peak(middle * step) <= limit:
            fits = middle
        else:
            too_large = middle
    return min(fits * step + step // 2, most) if fits else 0
