# exercise: low_memory
# score:    2/8
# fails:    low_memory-limit, low_memory-early, low_memory-window
# says:     too early
# why:      off by one: waits for the step before the right one

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scale = tf.compat.v1.placeholder(tf.float32, [], name="scale")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies(steps[first - 2:first - 1] if first > 1 else []):
                big = make_big(i, mebibytes, scale)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
