# exercise: largest
# score:    5/5
# why:      from the largest power of two down
def largest_batch(train_on, limit, step, most):
    info = tf.config.experimental.get_memory_info

    def fits(examples):
        tf.config.experimental.reset_memory_stats("CPU:0")
        start = info("CPU:0")["current"]
        train_on(examples)
        return info("CPU:0")["peak"] - start <= limit * 2**20

    count = 0
    jump = 1
    while 2 * jump * step <= most:
        jump *= 2
    while jump:
        if (count + jump) * step <= most and fits((count + jump) * step):
            count += jump
        jump //= 2
    return count * step
