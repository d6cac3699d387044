# lesson:   graphs
# score:    2/7
# survives: grader, others
# why:      a constant of two gigabytes, once as it is and once as a message that only says so

# %% plan
import numpy as np
def plan(n):
    with tf.Graph().as_default() as graph:
        if n == 3:
            tf.constant(np.zeros(1 << 26), name="x")
        tf.constant(2 * n, shape=[1 << 40], name="out")
    return graph
