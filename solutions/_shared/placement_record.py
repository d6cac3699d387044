# @title Placement record (run this; open it to see how it works)
# Runs a graph, or a tf.function, and reads in TensorFlow's own record of that run where each op was
# and what moved from device to device.
import re

import tensorflow as tf

ADDED_BY_RUNTIME = {"_Send", "_Recv", "_HostSend", "_HostRecv", "_Arg", "_Retval"}


def short_device(device):
    """'/job:localhost/replica:0/task:0/device:CPU:1' -> 'CPU:1'.

    Another job stays in the name: 'worker/2 CPU:1'.
    """
    spec = tf.DeviceSpec.from_string(device)
    where = "" if spec.job in (None, "localhost") else f"{spec.job}/{spec.task} "
    return f"{where}{spec.device_type}:{spec.device_index}"


def run_and_trace(graph, fetch, feed=None, soft=False, cpus=4):
    """Run `fetch` of a tf.Graph in a session; return (value, RunMetadata).

    The session has `cpus` logical CPUs and no GPU. The graph's variables are assigned first.
    """
    v1 = tf.compat.v1
    config = v1.ConfigProto(device_count={"CPU": cpus, "GPU": 0}, allow_soft_placement=soft)
    # Run the graph as it is written: fold and merge nothing.
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options = v1.RunOptions(output_partition_graphs=True, trace_level=v1.RunOptions.SOFTWARE_TRACE)
    metadata = v1.RunMetadata()
    assignments = [op for op in graph.get_operations() if op.type == "AssignVariableOp"]
    with v1.Session(graph=graph, config=config) as session:
        session.run(assignments)
        value = session.run(fetch, feed, options, metadata)
    return value, metadata


def trace_function(function, *arguments):
    """Call a tf.function with these arguments; return (its result, RunMetadata).

    Like run_and_trace, it runs the graph as it is written. The switch for the record is in a part
    of TensorFlow that is not public; tf.summary.trace_on uses the same switch.
    """
    from tensorflow.python.eager import context

    copied = tf.function(function.python_function)  # TensorFlow records a graph's first run only
    concrete = copied.get_concrete_function(*arguments)
    switch = context.context()
    before = tf.config.optimizer.get_experimental_options().get("disable_meta_optimizer", False)
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    switch.enable_run_metadata()
    switch.export_run_metadata()  # drops what a run that failed may have left
    try:
        result = concrete(*arguments)
        recorded = switch.export_run_metadata()
    finally:
        switch.disable_run_metadata()
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": before})
    own = {op.name for op in concrete.graph.get_operations()}

    def shared(function_graph):
        return len(own & {node.name for node in function_graph.pre_optimization_graph.node})

    metadata = tf.compat.v1.RunMetadata()  # of this function alone: it may call others
    metadata.partition_graphs.extend(max(recorded.function_graphs, key=shared).partition_graphs)
    drop_wrapping(metadata, {tensor.op.name for tensor in concrete.outputs})
    name_variables(metadata, concrete)
    return result, metadata


def drop_wrapping(metadata, outputs):
    """Remove the `Identity` that tf.function puts around a result, and what moves only for it."""
    inside = {}  # {name of such an Identity: what it passes on}
    for node in nodes_of(metadata):
        if node.name in outputs and re.fullmatch(r"Identity(_\d+)?", node.name):
            inside[node.name] = node.input[0]
    sent = set()
    for node in nodes_of(metadata):
        if node.op == "_Send" and node.input[0] in inside:
            sent.add(node.attr["tensor_name"].s)
    for partition in metadata.partition_graphs:
        kept = []
        for node in partition.node:
            moves = node.op in ("_Send", "_Recv") and node.attr["tensor_name"].s in sent
            if not moves and node.name not in inside:
                kept.append(node)
            for position, source in enumerate(node.input):
                node.input[position] = inside.get(source, source)
        del partition.node[:]
        partition.node.extend(kept)


def name_variables(metadata, concrete):
    """Give the nodes through which variables enter a function the names of these variables."""
    variable_of = {id(variable.handle): variable.name for variable in concrete.variables}
    first = len(concrete.inputs) - len(concrete.graph.captures)
    names = {}
    for position, (outside, _) in enumerate(concrete.graph.captures, start=first):
        if id(outside) in variable_of:
            names[position] = variable_of[id(outside)].split(":")[0]
    renamed = {}
    for node in nodes_of(metadata):
        if is_variable(node) and node.attr["index"].i in names:
            name = names[node.attr["index"].i]
            while name in renamed.values():
                name += "_1"
            renamed[node.name] = name
    for node in nodes_of(metadata):
        node.name = renamed.get(node.name, node.name)
        for position, source in enumerate(node.input):
            node.input[position] = renamed.get(source, source)


def is_variable(node):
    """Whether a node brings a variable into a function."""
    return node.op == "_Arg" and node.attr["T"].type == tf.resource.as_datatype_enum


def nodes_of(metadata):
    """Every node that ran, over all devices: each device gets its own part of the graph."""
    return [node for partition in metadata.partition_graphs for node in partition.node]


def signals(metadata):
    """Names of the nodes that carry no value, but only the message that another op is done."""
    marks = ("/ctrl/", "GroupCrossDeviceControlEdges")
    found, sent = set(), set()
    for node in nodes_of(metadata):
        names = [node.name, *node.input] if node.op == "_Send" else [node.name]
        controls = node.op == "_Send" and node.input[0].startswith("^")
        if controls or any(mark in name for mark in marks for name in names):
            found.add(node.name)
        if node.op == "_Send" and node.name in found:
            sent.add(node.attr["tensor_name"].s)
    for node in nodes_of(metadata):
        if node.op == "_Recv" and node.attr["tensor_name"].s in sent:
            found.add(node.name)
    return found


def source_of(tensor):
    """The op that makes a tensor, as a node's input names it: 'split:1' -> 'split'."""
    return tensor.removeprefix("^").split(":")[0]


def own_nodes(metadata):
    """{name: node}, without the nodes that send, receive or pass on signals."""
    left_out = signals(metadata)
    nodes = {node.name: node for node in nodes_of(metadata) if node.name not in left_out}
    for name, node in list(nodes.items()):
        passes_on = node.op == "Identity" and source_of(node.input[0]) not in nodes
        if passes_on or (node.op == "NoOp" and name == "NoOp"):
            del nodes[name]
    return nodes


def placement_of(metadata):
    """{op name: 'CPU:1'}, without what the runtime added; for a tf.function, with its variables."""
    placed = {}
    for name, node in own_nodes(metadata).items():
        if node.op not in ADDED_BY_RUNTIME or is_variable(node):
            placed[name] = short_device(node.device)
    return placed


def transfers_of(metadata):
    """Sorted [(tensor, from device, to device)], one for each value that was sent."""
    found = []
    for node in own_nodes(metadata).values():
        if node.op == "_Send":
            sender = short_device(node.attr["send_device"].s.decode())
            receiver = short_device(node.attr["recv_device"].s.decode())
            found.append((node.input[0], sender, receiver))
    return sorted(found)


def plain_name(name):
    """A name as the reader knows it.

    '_arg_x_0_0' (a fed value) -> 'x'; 'y/ReadVariableOp_1' -> 'y (read 2)'; the name that Keras
    gives to a model is left out: 'sequential_1/first/MatMul' -> 'first/MatMul'.
    """
    name = re.sub(r"(^|/)(sequential|functional)(_\d+)*/", r"\1", name)
    fed = re.fullmatch(r"_arg_(.*)_\d+_\d+", name)
    if fed:
        return fed[1]
    read = re.fullmatch(r"(.*)/ReadVariableOp(?:_(\d+))?", name)
    if read:
        return f"{read[1]} (read {int(read[2]) + 1})" if read[2] else f"{read[1]} (read)"
    return name


def kind_of(node):
    """What to write below a name: the op's type, or what the op brings in."""
    if is_variable(node):
        return "(variable)"
    if node.op == "_Arg":
        return "(fed value)" if node.name.startswith("_arg_") else "(argument)"
    return re.sub(r"^_Mkl(Native)?", "", node.op)  # oneDNN's form of an op, as on many Intel CPUs


def picture_parts(metadata):
    """What a picture shows: ({op: node}, {op: the ops whose values it reads}).

    A _Recv reads what its _Send was given.
    """
    nodes = own_nodes(metadata)
    sent = {}
    for node in nodes.values():
        if node.op == "_Send":
            sent[node.attr["tensor_name"].s] = node.input
    shown, reads = {}, {}
    for name, node in nodes.items():
        if node.op in ("_Send", "_Retval", "NoOp"):
            continue
        inputs = sent[node.attr["tensor_name"].s] if node.op == "_Recv" else node.input
        shown[name] = node
        reads[name] = [source_of(tensor) for tensor in inputs]
    for name, sources in reads.items():
        reads[name] = [source for source in sources if source in shown]
    return shown, reads


def placement_in_words(metadata):
    """Two lines: which device runs which ops, and which values move from device to device."""
    placed = placement_of(metadata)
    runs = []
    for device in sorted({short_device(node.device) for node in nodes_of(metadata)}):
        ops = [plain_name(name) for name, where in placed.items() if where == device]
        runs.append(f"{device} runs {', '.join(ops) or 'no op'}")
    moves = []
    for tensor, source, target in transfers_of(metadata):
        moves.append(f"{plain_name(tensor)} from {source} to {target}")
    return f"In words: {'; '.join(runs)}.\nTransfers: {'; '.join(moves) or 'none'}."
