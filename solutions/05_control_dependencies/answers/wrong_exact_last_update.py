# exercise: exact
# score:    3/7
# fails:    exact-free, exact-sum
# says:     pruned
# why:      total is what the last update returns; the others are pruned

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        for amount in amounts:
            new = counter.assign_add(amount)
        tf.identity(new, name="total")
    return graph.as_graph_def().SerializeToString()
