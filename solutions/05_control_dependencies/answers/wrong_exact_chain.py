# exercise: exact
# score:    1/7
# fails:    exact-safe, exact-free, exact-sum
# says:     updates in a chain
# why:      exact, but each update waits for the one before

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        done = []
        for amount in amounts:
            with tf.control_dependencies(done):
                done = [counter.assign(counter + amount).op]
        with tf.control_dependencies(done):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
