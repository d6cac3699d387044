# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      a graph that restores variables from files, and saves some

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        save = tf.raw_ops.SaveV2(prefix="/tmp/attack-was-here", tensor_names=["x"], shape_and_slices=[""], tensors=[1.0])
        with tf.control_dependencies([save]):
            tf.constant(2 * n, name="out")
    return graph
