# exercise: largest
# score:    3/5
# fails:    largest-drawn: the need is no straight line
# why:      a straight line through two measurements, no search
def largest_batch(train_on, limit, step, most):
    """Two measurements and a straight line through them: no search."""
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    low, high = peak(step), peak(most)
    if high <= limit:
        return most
    if low > limit:
        return 0
    each = (high - low) / (most - step)
    return int((limit - low + 0.3 * each * step) / (each * step)) * step + step
