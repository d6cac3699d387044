# exercise: low_memory
# score:    3/8
# fails:    low_memory-early, low_memory-window, low_memory-no_limit
# says:     waits for another matrix, which no limit asks for
# why:      waits for the right step, and for the matrix before as well

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scale = tf.compat.v1.placeholder(tf.float32, [], name="scale")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies((steps[first - 1:first] if first else []) + bigs[-1:]):
                big = make_big(i, mebibytes, scale)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
