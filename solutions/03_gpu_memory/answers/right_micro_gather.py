# exercise: micro
# score:    8/8
# why:      rows by tf.gather, sums by tf.reduce_sum of lists
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(v) for v in variables]
    for start in range(0, len(x), size):
        rows = range(start, min(start + size, len(x)))
        with tf.GradientTape() as tape:
            loss = loss_of(variables, tf.gather(x, rows), tf.gather(y, rows)) * (len(rows) / len(x))
        total = [tf.reduce_sum([t, g], axis=0) for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
