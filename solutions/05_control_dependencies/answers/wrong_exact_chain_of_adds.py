# exercise: exact
# score:    5/7
# breaks:   6
# fails:    exact-free: some updates wait for others
# why:      assign_add, and an order that nobody needs

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            with tf.control_dependencies(updates):
                updates.append(counter.assign_add(amount).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
