# exercise: low_memory
# score:    7/8
# breaks:   4
# fails:    low_memory-same: have other sizes
# why:      saves memory by making every matrix as small as the smallest

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies(steps[first - 1:first] if first else []):
                big = make_big(i, 1, scales)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
