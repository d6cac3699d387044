# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      ops that write files stand in the branch of a branch that is taken

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        def write():
            tf.raw_ops.WriteFile(filename="/tmp/attack-was-here", contents="x")
            return tf.constant(2 * n)
        yes = tf.constant(n) > 0
        branch = lambda: tf.cond(yes, write, write)
        tf.identity(tf.cond(yes, branch, branch), name="out")
    return graph
