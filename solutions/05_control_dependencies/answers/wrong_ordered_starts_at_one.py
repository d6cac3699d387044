# exercise: ordered
# score:    3/6
# breaks:   1
# fails:    ordered-result: neutral
# fails:    ordered-values: neutral
# why:      the first value of the example, whatever start says

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=1.)
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
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
