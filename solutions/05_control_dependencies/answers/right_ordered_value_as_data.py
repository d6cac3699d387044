# exercise: ordered
# score:    6/6
# why:      reads v once and carries the value as data; the writes are in a chain

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        value = v.read_value()
        done = []
        for what, number in actions:
            if what == "add":
                value = value + number
            elif what == "multiply":
                value = value * number
            else:
                value = tf.constant(number) + 0. * value
            with tf.control_dependencies(done):
                done = [v.assign(value).op]
        with tf.control_dependencies(done):
            tf.identity(value, name="result")
    return graph.as_graph_def().SerializeToString()
