# exercise: train
# score:    13/13
# why:      what is reduced is a tensor
def train(i, n, reduce, weights, x, y, batches, rate):
    variables = [tf.Variable(weight) for weight in weights]
    for batch in batches:
        mine = np.array(batch[i::n], int)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch)
        gradients = tape.gradient(loss, variables)
        total = reduce(tf.concat([tf.reshape(gradient, [-1]) for gradient in gradients], axis=0))
        start = 0
        for variable in variables:
            size = int(tf.size(variable))
            variable.assign_sub(rate * tf.reshape(total[start : start + size], variable.shape))
            start += size
    return [variable.numpy() for variable in variables]
