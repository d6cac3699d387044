# exercise: micro
# score:    8/8
# why:      a tf.function with a loop inside, one part at a time
def micro_gradients(weights, x, y, size):
    variables = [tf.Variable(w) for w in weights]
    total = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
    start = 0
    while start < x.shape[0]:
        end = min(start + size, x.shape[0])
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(variables)
            loss = (end - start) * loss_of(variables, tf.convert_to_tensor(x[start:end]), y[start:end])
        gradients = tape.gradient(loss, variables)
        for old, new in zip(total, gradients):
            old.assign_add(new / x.shape[0])
        del tape, loss, gradients
        start = end
    return [one.numpy() for one in total]
