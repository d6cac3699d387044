# exercise: exact
# score:    6/7
# breaks:   1
# fails:    exact-again: starts anew in each run
# why:      sets the counter to 0 before the updates of each run

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            with tf.control_dependencies([counter.initializer]):
                updates.append(counter.assign_add(amount).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
