# exercise: ordered
# score:    1/6
# fails:    ordered-waits, ordered-values, ordered-set
# says:     in any order
# why:      result waits for all actions, but they do not wait for each other

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        done = [write[what](number).op for what, number in actions]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
