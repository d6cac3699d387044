"""Opens the functions that a traced graph calls, so that arrows can be followed through them."""


def opened_nodes(graph_def):
    """[name, op, inputs] of each node of a GraphDef and of the functions that it calls.

    An op inside a call waits for all that the call reads, and the call for all ops inside it. What
    a function is given stands for its argument. Inputs are names of ops, without `^` and output.
    """
    bodies = {body.signature.name: body for body in graph_def.library.function}
    found = []

    def open_node(node, prefix, given, waits):
        name = prefix + node.name
        sources = [source for source in node.input if not source.startswith("^")]
        data = [name_of(source, prefix, given) for source in sources]
        control = [name_of(source, prefix, given) for source in node.input if source not in sources]
        inputs = data + control + waits
        inside = []
        for body in [
            bodies[part.func.name] for part in node.attr.values() if part.func.name in bodies
        ]:
            arguments = [argument.name for argument in body.signature.input_arg]
            passed = dict(zip(arguments, data[len(data) - len(arguments) :], strict=False))
            for part in body.node_def:
                open_node(part, name + "/", passed, inputs)
                inside.append(f"{name}/{part.name}")
        found.append([name, node.op, inputs + inside])

    for node in graph_def.node:
        open_node(node, "", {}, [])
    return found


def name_of(source, prefix, given):
    """The op that an input such as `^sum`, `sum:0` or `sum:z:0` is from, or what was given for it."""
    name = source.lstrip("^").split(":")[0]
    return given.get(name, prefix + name)


def reads_after_release(graph_def):
    """Names of the ops that read a variable after a lock or a token of a queue was given back."""
    nodes = {name: (op, inputs) for name, op, inputs in opened_nodes(graph_def)}
    late = []
    for name in [name for name, (op, _) in nodes.items() if op == "ReadVariableOp"]:
        before, todo = set(), [name]
        while todo:
            new = {source for source in nodes[todo.pop()][1] if source in nodes} - before
            before |= new
            todo += new
        if any(nodes[source][0] in ("ConsumeMutexLock", "QueueEnqueueV2") for source in before):
            late.append(name)
    return late
