# lesson:   graphs
# score:    2/7
# survives: machine, grader, others
# why:      a small graph that takes more and more memory when it is run

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        def more(i, kept):
            return i + 1, tf.concat([kept, tf.random.uniform([1 << 26])], 0)
        shapes = [tf.TensorShape([]), tf.TensorShape([None])]
        start = [tf.constant(0), tf.random.uniform([1 << 26])]
        _, kept = tf.compat.v1.while_loop(lambda i, kept: i < 1000, more, start, shape_invariants=shapes)
        tf.add(tf.constant(2 * n), tf.cast(0 * tf.reduce_sum(kept), tf.int32), name="out")
    return graph
