# exercise: exact
# score:    3/7
# fails:    exact-safe: another lock
# fails:    exact-sum: would be luck
# why:      as many locks as updates, told not to mind the others

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for i, amount in enumerate(amounts):
            section = tf.CriticalSection(name=f"section_{i}")
            updates.append(section.execute(lambda amount=amount: tf.identity(counter.assign(counter + amount)),
                                           exclusive_resource_access=False))
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
