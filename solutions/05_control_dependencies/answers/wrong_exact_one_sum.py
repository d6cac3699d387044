# exercise: exact
# score:    3/7
# fails:    exact-free, exact-sum
# says:     one update for each amount
# why:      adds up in Python and updates once

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        with tf.control_dependencies([counter.assign_add(float(sum(amounts))).op]):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
