# exercise: ordered
# score:    0/6
# fails:    ordered-result: inside a function
# fails:    ordered-waits: inside a function
# fails:    ordered-values: each action is one op
# fails:    ordered-set: each action is one op
# why:      hides the work in a tf.function, which orders it

def ordered(start, actions):
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")

        @tf.function
        def work():
            for what, number in actions:
                if what == "add":
                    v.assign_add(number)
                else:
                    v.assign(v * number if what == "multiply" else number)
            return v.read_value()

        tf.identity(work(), name="result")
    return graph.as_graph_def().SerializeToString()
