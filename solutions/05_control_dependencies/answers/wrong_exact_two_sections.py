# exercise: exact
# score:    1/7
# fails:    exact-safe, exact-free, exact-sum
# says:     CriticalSection
# why:      a critical section of its own for each update locks nobody out

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for i, amount in enumerate(amounts):
            section = tf.CriticalSection(name=f"section_{i}")
            updates.append(section.execute(lambda amount=amount: tf.identity(counter.assign(counter + amount))))
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
