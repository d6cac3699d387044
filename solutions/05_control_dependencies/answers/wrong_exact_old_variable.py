# exercise: exact
# score:    1/7
# fails:    exact-safe: of the old kind
# fails:    exact-free: of the old kind
# fails:    exact-sum: a right sum would be luck
# why:      a variable of the old kind: its AssignAdd takes no lock unless it is told to
def exact(amounts):
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        counter = v1.get_variable("counter", initializer=0.0, use_resource=False)
        tf.group(counter.initializer, name="init")
        updates = [counter.assign_add(amount) for amount in amounts]
        with tf.control_dependencies(updates):
            tf.add(counter, 0.0, name="total")
    return graph.as_graph_def().SerializeToString()
