# exercise: low_memory
# score:    4/8
# fails:    low_memory-early, low_memory-window
# says:     although it would fit
# why:      reckons with the largest size for all

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scale = tf.compat.v1.placeholder(tf.float32, [], name="scale")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            fit = limit // max(sizes)
            with tf.control_dependencies(steps[i - fit:i - fit + 1] if i >= fit else []):
                big = make_big(i, mebibytes, scale)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
