# exercise: exact
# score:    1/7
# fails:    exact-safe: only because they wait
# fails:    exact-free: some updates wait for others
# fails:    exact-sum: would be luck, or an order
# why:      exact, but each update waits for the one before

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            with tf.control_dependencies(updates):
                updates.append(counter.assign(counter + amount).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
