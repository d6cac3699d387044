# exercise: ordered
# score:    4/6
# breaks:   4
# fails:    ordered-values: a write makes something else of v than its action
# why:      Python computes what all actions come to; every write but the last changes nothing
def ordered(start, actions):
    a, b = 1.0, 0.0
    for what, number in actions:
        a, b = {"add": (a, b + number), "multiply": (a * number, b * number), "set": (0.0, number)}[what]
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        done = []
        for i in range(len(actions)):
            with tf.control_dependencies(done):
                write = v.assign_add(0.0) if i < len(actions) - 1 else v.assign(v * a + b)
            done = [write.op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
