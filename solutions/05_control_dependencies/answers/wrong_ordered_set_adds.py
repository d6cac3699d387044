# exercise: ordered
# score:    5/6
# breaks:   4
# fails:    ordered-set: neutral
# why:      takes set for add

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
                    write = v.assign_add(number)
            done = [write.op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
