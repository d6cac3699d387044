# lesson:   graphs
# score:    2/7
# survives: machine, hidden, grader
# why:      a graph that reads and writes files wherever it is run

# %% plan
def plan(n):
    with tf.Graph().as_default() as graph:
        writes = [tf.io.write_file(f"{place}/attack-was-here", "x") for place in ("/tmp", "/dev/shm", "/root", ".")]
        with tf.control_dependencies(writes):
            tf.constant(2 * n, name="out")
    return graph
