# exercise: ordered
# score:    2/6
# breaks:   8
# fails:    ordered-waits: of the old kind
# fails:    ordered-values: of the old kind
# why:      a variable of the old kind, read once outside: no arrow orders that read and the writes
def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start), use_resource=False)
        tf.group(v.initializer, name="init")
        done = []
        for what, number in actions:
            with tf.control_dependencies(done):
                if what == "add":
                    write = v.assign(v + number)
                elif what == "multiply":
                    write = v.assign(v * number)
                else:
                    write = v.assign(number)
            done = [write.op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
