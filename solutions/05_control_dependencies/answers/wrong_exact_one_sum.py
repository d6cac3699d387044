# exercise: exact
# score:    3/7
# breaks:   2
# fails:    exact-free: one update for each amount
# fails:    exact-sum: one update for each amount
# why:      adds up in Python and updates once

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = []
        updates.append(counter.assign_add(float(sum(amounts))).op)
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
