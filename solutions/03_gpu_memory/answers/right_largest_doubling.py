# exercise: largest
# score:    5/5
# why:      doubles until it does not fit, then halves
def largest_batch(train_on, limit, step, most):
    tried = {0: True}

    def fits(count):
        if count not in tried:
            before = tf.config.experimental.get_memory_info("CPU:0")["current"]
            tf.config.experimental.reset_memory_stats("CPU:0")
            train_on(count * step)
            after = tf.config.experimental.get_memory_info("CPU:0")
            tried[count] = (after["peak"] - before) / 1024**2 <= limit
        return tried[count]

    last = most // step
    if fits(last):
        return last * step
    low, high = 0, last
    while high - low > 1:
        middle = low + (high - low) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low * step
