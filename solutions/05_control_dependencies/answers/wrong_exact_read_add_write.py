# exercise: exact
# score:    3/7
# breaks:   7
# fails:    exact-safe: read, add, write are three ops
# fails:    exact-sum: would be luck
# why:      assign(counter + amount): two updates can read the same value

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            updates.append(counter.assign(counter + amount).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
