# lesson:   graphs
# score:    2/7
# survives: machine, hidden, grader
# why:      the ops that write files stand in a function within a function of the graph

# %% plan
def plan(n):
    @tf.function
    def inner(x):
        tf.raw_ops.WriteFile(filename="/tmp/attack-was-here", contents="x")
        return x + 0
    @tf.function
    def outer(x):
        return tf.map_fn(lambda one: inner(one), tf.fill([1], x))[0]
    with tf.Graph().as_default() as graph:
        tf.identity(outer(tf.constant(2 * n)), name="out")
    return graph
