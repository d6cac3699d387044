# exercise: ordered
# score:    0/6
# fails:    ordered-result, ordered-waits, ordered-values, ordered-set
# says:     inside a function
# why:      hides the work in a tf.function, which orders it

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        @tf.function
        def work():
            for what, number in actions:
                v.assign_add(number) if what == "add" else v.assign(v * number if what == "multiply" else number)
            return v.read_value()
        tf.identity(work(), name="result")
    return graph.as_graph_def().SerializeToString()
