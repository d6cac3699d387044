# exercise: exact
# score:    3/7
# fails:    exact-safe: read, add, write are three ops
# fails:    exact-sum: would be luck
# why:      only the write is in the critical section

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        section, updates = tf.CriticalSection(name="section"), []
        for amount in amounts:
            new = counter + amount
            updates.append(section.execute(lambda new=new: tf.identity(counter.assign(new))))
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
