# exercise: low_memory
# score:    3/8
# breaks:   5
# fails:    low_memory-early: waits for another matrix
# fails:    low_memory-window: waits for another matrix
# fails:    low_memory-no_limit: although everything fits
# why:      also waits for the matrix before, which no limit asks for

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies((steps[first - 1:first] if first else []) + bigs[-1:]):
                big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
