# exercise: exact
# score:    0/7
# fails:    exact-safe, exact-free, exact-sum, exact-again
# says:     pruned
# why:      total waits for no update

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        for amount in amounts:
            counter.assign_add(amount)
        tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
