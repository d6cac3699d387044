# lesson:   graphs
# score:    2/7
# survives: grader, others
# why:      a function of the graph that calls itself, without end, until the stack of the process ends

# %% plan
def plan(n):
    @tf.function
    def step(x):
        return x * 1
    with tf.Graph().as_default() as graph:
        tf.identity(step(tf.constant(2 * n)), name="out")
    definition = graph.as_graph_def()
    function = definition.library.function[0]
    call = function.node_def[-1]
    for node in function.node_def:
        if node.op == "Mul":
            call = node
    call.op = "StatefulPartitionedCall"
    del call.input[:]
    call.input.append(function.signature.input_arg[0].name)
    call.attr.clear()
    call.attr["Tin"].list.type.append(3)
    call.attr["Tout"].list.type.append(3)
    call.attr["f"].func.name = function.signature.name
    for name, source in function.ret.items():
        function.ret[name] = source.replace(":z:", ":output:")
    try:
        with tf.Graph().as_default(): tf.import_graph_def(definition, name="")
    except Exception as error:
        print("it cannot be imported:", error)
    shell = tf.Graph()
    shell.as_graph_def = lambda *a, **k: definition
    return shell
