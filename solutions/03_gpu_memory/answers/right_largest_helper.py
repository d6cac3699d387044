# exercise: largest
# score:    5/5
# why:      peak_of of the lesson's helpers, recursion
def largest_batch(train_on, limit, step, most):
    def between(good, bad):
        if bad - good <= step:
            return good
        middle = good + (bad - good) // step // 2 * step
        if peak_of(train_on, middle) > limit:
            return between(good, middle)
        return between(middle, bad)

    return between(0, most + step) or int(tf.config.experimental.get_memory_info("CPU:0")["peak"] * 0)
