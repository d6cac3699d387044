# exercise: ordered
# score:    3/6
# fails:    ordered-values, ordered-set
# says:     in the order of the list
# why:      the chain is right, its direction is not

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        done = []
        for what, number in reversed(actions):
            with tf.control_dependencies(done):
                done = [write[what](number).op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
