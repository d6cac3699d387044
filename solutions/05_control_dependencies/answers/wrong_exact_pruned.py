# exercise: exact
# score:    0/7
# fails:    exact-safe: pruned
# fails:    exact-free: pruned
# fails:    exact-sum: one update for each amount
# fails:    exact-again: pruned
# why:      total waits for no update

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            updates.append(counter.assign_add(amount).op)
        tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
