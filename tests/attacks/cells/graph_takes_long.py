# lesson:   graphs
# score:    2/7
# says:     did not finish || did not return in the time
# survives: grader, others
# why:      a graph of random matrices that keeps every core busy for hours

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        x = tf.random.uniform([4000, 4000])
        for _ in range(2000):
            x = tf.linalg.matmul(x, x)
        tf.add(tf.constant(2 * n), tf.cast(0 * tf.reduce_sum(x), tf.int32), name="out")
    return graph
