# exercise: exact
# score:    3/7
# fails:    exact-safe, exact-sum
# says:     read, add, write are three ops
# why:      each write waits for its own read, which it does anyway

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            old = counter.read_value()
            with tf.control_dependencies([old]):
                updates.append(counter.assign(old + amount).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
