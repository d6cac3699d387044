# exercise: ordered
# score:    0/6
# breaks:   7
# fails:    ordered-result: read outside the scope
# fails:    ordered-waits: created outside the scope
# fails:    ordered-values: a right value is luck
# fails:    ordered-set: created outside the scope
# why:      result is a copy, inside the scope, of a value that was read outside

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        value = tf.identity(v)
        done = []
        for what, number in actions:
            with tf.control_dependencies(done):
                if what == "add":
                    write = v.assign_add(number)
                elif what == "multiply":
                    write = v.assign(v * number)
                else:
                    write = v.assign(number)
            done = [write.op]
        with tf.control_dependencies(done):
            tf.identity(value, name="result")
    return graph.as_graph_def().SerializeToString()
