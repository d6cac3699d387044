# exercise: recompute
# score:    5/5
# why:      tf.custom_gradient in the place of tf.recompute_grad
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]

    def run(h, some):
        for w in some:
            h = layer(h, w)
        return h

    def block_of(some):
        @tf.custom_gradient
        def f(h, *values):
            def backward(upstream):
                with tf.GradientTape() as inner:
                    inner.watch([h, *values])
                    out = run(h, values)
                return inner.gradient(out, [h, *values], output_gradients=upstream)
            with tape.stop_recording():
                out = run(h, values)
            return out, backward
        return lambda h: f(h, *[w.read_value() for w in some])

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for i in range(0, len(variables), block):
            h = block_of(variables[i : i + block])(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
