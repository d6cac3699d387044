# exercise: ordered
# score:    6/6
# why:      each action reads the value that the one before has left

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=tf.constant(start, tf.float32))
        tf.group(v.initializer, name="init")
        value = v.read_value()
        for what, number in actions:
            with tf.control_dependencies([value]):
                new = {"add": value + number, "multiply": value * number, "set": tf.constant(number)}[what]
                write = v.assign(new).op
            with tf.control_dependencies([write]):
                value = v.read_value()
        tf.identity(value, name="result")
    return graph.as_graph_def().SerializeToString()
