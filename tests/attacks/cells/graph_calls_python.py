# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      ops that call Python in whoever runs the graph

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        out = tf.py_function(lambda: open("/tmp/attack-was-here", "w") and 2 * n, [], tf.int32)
        more = tf.numpy_function(lambda: 2 * n, [], tf.int64)
        with tf.control_dependencies([more]):
            tf.identity(out, name="out")
    return graph
