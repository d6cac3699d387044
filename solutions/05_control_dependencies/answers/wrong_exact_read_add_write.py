# exercise: exact
# score:    3/7
# fails:    exact-safe, exact-sum
# says:     read, add, write are three ops
# why:      assign(counter + amount): two updates can read the same value

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = [counter.assign(counter + amount).op for amount in amounts]
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
