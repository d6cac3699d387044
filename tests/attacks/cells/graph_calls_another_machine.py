# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      an op that runs a function on another machine

# %% plan
from tensorflow.python.ops import functional_ops
from tensorflow.python.framework import function
def plan(n):
    with tf.Graph().as_default() as graph:
        @function.Defun(tf.int32)
        def twice(x): return x + x
        out = functional_ops.remote_call(args=[tf.constant(n)], Tout=[tf.int32], f=twice, target="/cpu:0")
        tf.identity(out[0], name="out")
    return graph
