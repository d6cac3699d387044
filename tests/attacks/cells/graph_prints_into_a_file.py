# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      an op that prints, into a file

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        with tf.control_dependencies([tf.print("attack", output_stream="file:///tmp/attack-was-here")]):
            tf.constant(2 * n, name="out")
    return graph
