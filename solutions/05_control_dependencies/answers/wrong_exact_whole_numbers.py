# exercise: exact
# score:    6/7
# breaks:   3
# fails:    exact-again: neutral
# why:      adds whole numbers only

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        for amount in amounts:
            updates.append(counter.assign_add(float(int(amount))).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
