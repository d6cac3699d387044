# exercise: ordered
# score:    1/6
# fails:    ordered-waits, ordered-values, ordered-set
# says:     pruned
# why:      result waits for the last write only, and that one for nothing

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        for what, number in actions:
            op = write[what](number).op
        with tf.control_dependencies([op]):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
