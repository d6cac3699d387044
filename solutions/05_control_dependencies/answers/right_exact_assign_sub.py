# exercise: exact
# score:    7/7
# why:      subtracts the negative, and gathers the updates in a group

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        everything = tf.group(*[counter.assign_sub(-amount, read_value=False) for amount in amounts])
        with tf.control_dependencies([everything]):
            tf.add(counter, 0., name="total")
    return graph.as_graph_def().SerializeToString()
