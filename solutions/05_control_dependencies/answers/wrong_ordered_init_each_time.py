# exercise: ordered
# score:    0/6
# breaks:   2
# fails:    ordered-result: only init may set it
# fails:    ordered-waits: each action is one op
# fails:    ordered-values: each action is one op
# fails:    ordered-set: each action is one op
# why:      the chain begins by setting v back to its start

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        done = [v.initializer]
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
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
