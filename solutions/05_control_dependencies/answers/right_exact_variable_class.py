# exercise: exact
# score:    7/7
# why:      tf.Variable in place of get_variable; the group is what total waits for

def exact(amounts):
    graph = tf.Graph()
    with graph.as_default():
        counter = tf.Variable(0., name="counter")
        tf.group(counter.initializer, name="init")
        updates = [counter.assign_add(amount) for amount in amounts]
        with tf.control_dependencies([tf.group(updates)]):
            total = counter.read_value()
        tf.identity(total, name="total")
    return graph.as_graph_def().SerializeToString()
