# exercise: exact
# score:    2/7
# fails:    exact-free, exact-sum, exact-again
# says:     outside the scope
# why:      total copies a value that was read before the updates

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        value = counter.read_value()
        updates = [counter.assign_add(amount).op for amount in amounts]
        with tf.control_dependencies(updates):
            tf.identity(value, name="total")
    return graph.as_graph_def().SerializeToString()
