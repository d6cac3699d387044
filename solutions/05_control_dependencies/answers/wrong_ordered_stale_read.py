# exercise: ordered
# score:    1/6
# fails:    ordered-waits: a read of v was created outside
# fails:    ordered-values: neutral
# fails:    ordered-set: a read of v was created outside
# why:      writes are in order; what multiply reads was read at the start

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        old = v.read_value()
        done = []
        for what, number in actions:
            with tf.control_dependencies(done):
                if what == "add":
                    write = v.assign_add(number)
                elif what == "multiply":
                    write = v.assign(old * number)
                else:
                    write = v.assign(number)
            done = [write.op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
