# exercise: exact
# score:    5/7
# breaks:   3
# fails:    exact-sum: does not add its own amount
# why:      the first update adds all amounts, the others add 0
def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        ups = [counter.assign_add(sum(amounts) if i == 0 else 0.).op for i in range(len(amounts))]
        with tf.control_dependencies(ups):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
