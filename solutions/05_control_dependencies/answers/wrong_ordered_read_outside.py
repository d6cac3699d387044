# exercise: ordered
# score:    0/6
# fails:    ordered-result, ordered-waits, ordered-values, ordered-set
# says:     read outside the scope
# why:      result is a copy, inside the scope, of a value that was read outside

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        value, done = tf.identity(v), []
        for what, number in actions:
            with tf.control_dependencies(done):
                done = [write[what](number).op]
        with tf.control_dependencies(done):
            tf.identity(value, name="result")
    return graph.as_graph_def().SerializeToString()
