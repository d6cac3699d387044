# exercise: low_memory
# score:    8/8
# why:      a sliding window; waits for the matmul that frees the matrix

import collections


def low_memory(sizes, limit):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        alive, wait = collections.deque(), None
        for i, mebibytes in enumerate(sizes):
            alive.append(i)
            while sum(sizes[k] for k in alive) > limit:
                wait = graph.get_operation_by_name(f"use_{alive.popleft()}")
            with tf.control_dependencies([wait] if wait is not None else None):
                big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
    return graph.as_graph_def().SerializeToString()
