# exercise: exact
# score:    2/7
# breaks:   5
# fails:    exact-free: does not wait for all updates
# fails:    exact-sum: before all updates have ended
# fails:    exact-again: before the update has ended
# why:      total copies a value that was read before the updates

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        value = counter.read_value()
        updates = []
        for amount in amounts:
            updates.append(counter.assign_add(amount).op)
        with tf.control_dependencies(updates):
            tf.identity(value, name="total")
    return graph.as_graph_def().SerializeToString()
