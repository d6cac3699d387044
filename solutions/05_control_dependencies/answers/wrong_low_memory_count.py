# exercise: low_memory
# score:    2/8
# fails:    low_memory-limit: may begin too early
# fails:    low_memory-early: too early
# fails:    low_memory-window: may begin too early
# why:      counts matrices, not MiB

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while len(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies(steps[first - 1:first] if first else []):
                big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
