# exercise: exact
# score:    7/7
# why:      raw ops; the read itself is called total

def exact(amounts):
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = [tf.raw_ops.AssignAddVariableOp(resource=counter.handle, value=tf.constant(amount, tf.float32))
                   for amount in amounts]
        with tf.control_dependencies(updates):
            tf.raw_ops.ReadVariableOp(resource=counter.handle, dtype=tf.float32, name="total")
    return graph.as_graph_def().SerializeToString()
