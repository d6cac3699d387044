# exercise: exact
# score:    2/7
# fails:    exact-safe, exact-sum, exact-again
# says:     time.sleep
# why:      lets each update sleep a little longer than the one before

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        import time
        def late(value, seconds):
            time.sleep(seconds)
            return value
        updates = []
        for i, amount in enumerate(amounts):
            value = tf.numpy_function(late, [counter.read_value(), 0.001 * i], tf.float32)
            updates.append(counter.assign(tf.reshape(value, []) + amount).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
