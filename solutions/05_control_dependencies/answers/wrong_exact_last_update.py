# exercise: exact
# score:    3/7
# breaks:   4
# fails:    exact-free: pruned
# fails:    exact-sum: one update for each amount
# why:      total waits for the last update only; the others are pruned

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            updates = [counter.assign_add(amount).op]
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
