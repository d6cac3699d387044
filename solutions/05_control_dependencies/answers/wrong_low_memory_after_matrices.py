# exercise: low_memory
# score:    1/8
# fails:    low_memory-limit: waits for other matrices
# fails:    low_memory-early: nothing waits for a step
# fails:    low_memory-window: may begin too early
# fails:    low_memory-no_limit: although everything fits
# why:      a matrix waits for the one before it, which frees nothing

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies(bigs[-1:]):
                big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
