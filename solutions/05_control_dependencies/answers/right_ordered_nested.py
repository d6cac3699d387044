# exercise: ordered
# score:    6/6
# why:      scopes that add up, kept open by an ExitStack

import contextlib


def ordered(start, actions):
    v1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default(), contextlib.ExitStack() as scopes:
        v = v1.get_variable("v", shape=[], initializer=v1.constant_initializer(start))
        with tf.control_dependencies([v.initializer]):
            tf.no_op(name="init")
        for what, number in actions:
            if what == "add":
                op = v1.assign_add(v, number).op
            elif what == "multiply":
                op = v1.assign(v, tf.multiply(v.read_value(), number)).op
            else:
                op = v1.assign(v, number).op
            scopes.enter_context(tf.control_dependencies([op]))
        tf.identity(v.read_value(), name="result")
    return graph.as_graph_def().SerializeToString()
