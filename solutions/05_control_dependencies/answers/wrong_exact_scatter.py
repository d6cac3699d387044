# exercise: exact
# score:    3/7
# fails:    exact-safe: several of them may hold
# fails:    exact-sum: would be luck
# why:      a scatter op, which several may run at the same time

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=tf.zeros([1]))
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            updates.append(tf.raw_ops.ResourceScatterAdd(
                resource=counter.handle, indices=tf.constant([0]), updates=tf.constant([amount])))
        with tf.control_dependencies(updates):
            tf.reduce_sum(counter, name="total")
    return graph.as_graph_def().SerializeToString()
