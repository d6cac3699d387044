# exercise: low_memory
# score:    8/8
# why:      waits for every earlier step that must have ended

def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        steps, bigs = [], []
        for i, mebibytes in enumerate(sizes):
            first = 0
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies([step for k, step in enumerate(steps) if sum(sizes[k:i + 1]) > limit]):
                big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
            steps.append(h)
            bigs.append(big)
    return graph.as_graph_def().SerializeToString()
