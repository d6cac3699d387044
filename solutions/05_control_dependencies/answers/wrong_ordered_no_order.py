# exercise: ordered
# score:    1/6
# breaks:   8
# fails:    ordered-waits: run in any order
# fails:    ordered-values: a right value is luck
# fails:    ordered-set: later actions wait for it
# why:      result waits for all actions, but they do not wait for each other

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        done = []
        for what, number in actions:
            with tf.control_dependencies([]):
                if what == "add":
                    write = v.assign_add(number)
                elif what == "multiply":
                    write = v.assign(v * number)
                else:
                    write = v.assign(number)
            done.append(write.op)
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
