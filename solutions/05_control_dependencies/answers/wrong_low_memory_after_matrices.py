# exercise: low_memory
# score:    1/8
# fails:    low_memory-limit, low_memory-early, low_memory-window, low_memory-no_limit
# says:     waits for other matrices
# why:      a matrix waits for the one before it, which frees nothing

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scale = tf.compat.v1.placeholder(tf.float32, [], name="scale")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            with tf.control_dependencies(bigs[-1:]):
                big = make_big(i, mebibytes, scale)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
