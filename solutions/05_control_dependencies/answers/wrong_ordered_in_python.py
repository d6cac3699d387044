# exercise: ordered
# score:    1/6
# breaks:   3
# fails:    ordered-waits: each action is one op
# fails:    ordered-values: each action is one op
# fails:    ordered-set: each action is one op
# why:      works out one factor and one summand in Python, and writes once

def ordered(start, actions):
    factor, plus = 1., 0.
    for what, number in actions:
        if what == "add":
            plus = plus + number
        elif what == "multiply":
            factor, plus = factor * number, plus * number
        else:
            factor, plus = 0., number
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        with tf.control_dependencies([v.assign(v * factor + plus).op]):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
