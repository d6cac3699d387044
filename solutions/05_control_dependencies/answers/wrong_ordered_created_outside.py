# exercise: ordered
# score:    1/6
# fails:    ordered-waits: run in any order
# fails:    ordered-values: a right value is luck
# fails:    ordered-set: later actions wait for it
# why:      creates the writes first and opens the scopes around them afterwards

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        ops = [write[what](number).op for what, number in actions]
        last = ops[0]
        for op in ops[1:]:
            with tf.control_dependencies([last]):
                last = tf.group(op)
        with tf.control_dependencies([last]):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
