# exercise: ordered
# score:    1/6
# fails:    ordered-waits, ordered-values, ordered-set
# says:     a read of v was created outside
# why:      writes are in order; what multiply reads was read at the start

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        old, done = v.read_value(), []
        for what, number in actions:
            with tf.control_dependencies(done):
                done = [v.assign(old * number).op if what == "multiply" else write[what](number).op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
