# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      a graph whose functions XLA must compile

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        twice = tf.function(lambda x: x + x, jit_compile=True)
        tf.identity(twice(tf.constant(n)), name="out")
    return graph
