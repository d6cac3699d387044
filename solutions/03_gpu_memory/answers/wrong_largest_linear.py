# exercise: largest
# score:    2/5
# breaks:   7
# fails:    largest-runs: more than twelve runs: halve the interval that is left
# fails:    largest-drawn: more than twelve runs: halve the interval that is left
# why:      tries one batch after the other
def largest_batch(train_on, limit, step, most):
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    fits, too_large = 0, most // step + 1
    while too_large - fits > 1:
        middle = fits + 1
        if peak(middle * step) <= limit:
            fits = middle
        else:
            break
    return fits * step
