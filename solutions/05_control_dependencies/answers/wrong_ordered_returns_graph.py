# exercise: ordered
# score:    0/6
# fails:    ordered-result: not the graph
# fails:    ordered-waits: SerializeToString
# fails:    ordered-values: SerializeToString
# fails:    ordered-set: SerializeToString
# why:      returns the graph itself

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
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph
