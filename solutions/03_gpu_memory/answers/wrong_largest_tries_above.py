# exercise: largest
# score:    3/5
# breaks:   8
# fails:    largest-drawn: a batch that is no multiple of
# why:      tries a batch that is no multiple, to be sure
def largest_batch(train_on, limit, step, most):
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    train_on(step + 1)
    fits, too_large = 0, most // step + 1
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        if peak(middle * step) <= limit:
            fits = middle
        else:
            too_large = middle
    return fits * step
