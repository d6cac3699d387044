# exercise: ordered
# score:    1/6
# fails:    ordered-waits, ordered-values, ordered-set
# says:     Python did the sums
# why:      computes the sum in Python and writes once: right the first time only

def ordered(start, actions):
    if len(actions) == 1 and actions[0][0] == "add":
        factor, plus = 1., actions[0][1]
    else:
        factor, plus = 1., 0.
        for what, number in actions:
            factor, plus = {"add": (factor, plus + number), "multiply": (factor * number, plus * number),
                            "set": (0., number)}[what]
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        with tf.control_dependencies([v.assign(v * factor + plus).op]):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
