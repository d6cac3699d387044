# exercise: ordered
# score:    0/6
# breaks:   5
# fails:    ordered-result: pruned
# fails:    ordered-waits: pruned
# fails:    ordered-values: each action is one op
# fails:    ordered-set: each action is one op
# why:      nothing makes result wait: the chain of writes is never run

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
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
        tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
