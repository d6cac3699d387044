# exercise: train
# score:    13/13
# why:      all weights in one variable, and its gradient
def train(i, n, reduce, weights, x, y, batches, rate):
    shapes = [weight.shape for weight in weights]
    sizes = [weight.size for weight in weights]
    w = tf.Variable(tf.concat([tf.reshape(weight, [-1]) for weight in weights], 0))

    def unpacked(flat):
        return [tf.reshape(p, shape) for p, shape in zip(tf.split(flat, sizes), shapes)]

    for batch in batches:
        mine = [row for place, row in enumerate(batch) if place % n == i]
        weight_of_row = 1.0 / len(batch)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(losses(unpacked(w), x[mine], y[mine])) * weight_of_row
        w.assign_sub(rate * reduce(tape.gradient(loss, w).numpy()))
    return [part.numpy() for part in unpacked(w)]
