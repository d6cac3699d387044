# exercise: exact
# score:    7/7
# why:      read, add and write inside a critical section

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        section = tf.CriticalSection(name="section")
        updates = []
        for amount in amounts:
            updates.append(section.execute(lambda amount=amount: tf.identity(counter.assign(counter + amount))))
        with tf.control_dependencies(updates):
            tf.identity(counter.read_value(), name="total")
    return graph.as_graph_def().SerializeToString()
