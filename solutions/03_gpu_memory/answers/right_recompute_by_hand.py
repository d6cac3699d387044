# exercise: recompute
# score:    5/5
# why:      tapes of its own: a forward pass that keeps the blocks' inputs, then block by block backwards
def recomputed_gradients(weights, x, y, block):
    variables = [tf.Variable(w) for w in weights]
    groups = [variables[i : i + block] for i in range(0, len(variables), block)]

    def forward(h, group):
        for w in group:
            h = layer(h, w)
        return h

    inputs = [tf.constant(x)]
    for group in groups[:-1]:
        inputs.append(forward(inputs[-1], group))
    found, upstream = [], None
    for group, h in zip(groups[::-1], inputs[::-1]):
        with tf.GradientTape() as tape:
            tape.watch(h)
            out = forward(h, group)
            if upstream is None:
                out = tf.reduce_mean(tf.square(out - y))
        *gradients, upstream = tape.gradient(out, [*group, h], output_gradients=upstream)
        found = gradients + found
    return [gradient.numpy() for gradient in found]
