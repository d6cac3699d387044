# exercise: ordered
# score:    6/6
# why:      raw ops, and edges added afterwards in the GraphDef

def ordered(start, actions):
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        v = v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        stages = []
        for i, (what, number) in enumerate(actions):
            number = tf.constant(number)
            if what == "multiply":
                old = tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32, name=f"old_{i}")
                number = tf.multiply(old, number, name=f"new_{i}")
            kind = tf.raw_ops.AssignAddVariableOp if what == "add" else tf.raw_ops.AssignVariableOp
            kind(resource=v.handle, value=number, name=f"write_{i}")
            stages.append([f"old_{i}", f"write_{i}"] if what == "multiply" else [f"write_{i}"])
        tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32, name="result")
        stages.append(["result"])
    definition = graph.as_graph_def()
    nodes = {node.name: node for node in definition.node}
    for earlier, later in zip(stages, stages[1:]):
        for name in later:
            nodes[name].input.append("^" + earlier[-1])
    return definition.SerializeToString()
