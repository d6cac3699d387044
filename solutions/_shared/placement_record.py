#@title Placement record (run this; open it to see how it works)
# Runs a graph and reads out of TensorFlow's own record of that run where each op was and what moved between devices.
import re
import tensorflow as tf

ADDED_BY_RUNTIME = {"_Send", "_Recv", "_HostSend", "_HostRecv", "_Arg", "_Retval"}

def short_device(device):
    """'/job:localhost/replica:0/task:0/device:CPU:1' -> 'CPU:1'; another job stays in the name: 'worker/2 CPU:1'."""
    spec = tf.DeviceSpec.from_string(device)
    where = "" if spec.job in (None, "localhost") else f"{spec.job}/{spec.task} "
    return f"{where}{spec.device_type}:{spec.device_index}"

def run_and_trace(graph, fetch, feed=None, soft=False, cpus=4):
    """Assign the variables of a tf.Graph, run `fetch` on `cpus` logical CPUs (GPUs hidden); return (value, RunMetadata)."""
    v1 = tf.compat.v1
    config = v1.ConfigProto(device_count={"CPU": cpus, "GPU": 0}, allow_soft_placement=soft)
    config.graph_options.rewrite_options.disable_meta_optimizer = True  # run the graph as it is written:
    config.graph_options.optimizer_options.opt_level = -1               # fold and merge nothing
    options = v1.RunOptions(output_partition_graphs=True, trace_level=v1.RunOptions.SOFTWARE_TRACE)
    metadata = v1.RunMetadata()
    with v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
        return session.run(fetch, feed, options, metadata), metadata

def nodes_of(metadata):
    """Every node that ran, over all devices: each device gets its own part of the graph, a partition."""
    return [node for partition in metadata.partition_graphs for node in partition.node]

def placement_of(metadata):
    """{op name: 'CPU:1'}, without what the runtime added by itself."""
    return {node.name: short_device(node.device) for node in nodes_of(metadata) if node.op not in ADDED_BY_RUNTIME}

def transfers_of(metadata):
    """Sorted [(tensor, from device, to device)]: one for each value that was sent; control signals are left out."""
    sent = [node for node in nodes_of(metadata) if node.op == "_Send" and not re.search("^\\^|/ctrl/", node.input[0])]
    end = lambda node, which: short_device(node.attr[which].s.decode())
    return sorted((node.input[0], end(node, "send_device"), end(node, "recv_device")) for node in sent)

def plain(name):
    """A name as the reader knows it: '_arg_x_0_0' (a fed value) -> 'x'; 'y/ReadVariableOp_1' -> 'y (read 2)'."""
    read = lambda match: f" (read {int(match[1]) + 1})" if match[1] else " (read)"
    return re.sub(r"/ReadVariableOp(?:_(\d+))?$", read, re.sub(r"^_arg_(.*)_\d+_\d+$", r"\1", name))

def picture_parts(metadata):
    """What a picture shows: ({op: node}, {op: the ops whose values it reads}); a _Recv reads what its _Send was given."""
    nodes = {node.name: node for node in nodes_of(metadata)}
    sent = {node.attr["tensor_name"].s: node.input for node in nodes.values() if node.op == "_Send"}
    shown = {name: node for name, node in nodes.items() if node.op not in ("_Send", "_Retval", "NoOp")}
    reads = {name: sent[node.attr["tensor_name"].s] if node.op == "_Recv" else node.input for name, node in shown.items()}
    return shown, {name: [i.lstrip("^").split(":")[0] for i in inputs] for name, inputs in reads.items()}

def placement_in_words(metadata):
    """Two lines: which device runs which ops, and which values move from device to device."""
    lanes = sorted({short_device(node.device) for node in nodes_of(metadata)})
    runs = {lane: [plain(name) for name, device in placement_of(metadata).items() if device == lane] for lane in lanes}
    moves = [f"{plain(tensor)} from {source} to {target}" for tensor, source, target in transfers_of(metadata)]
    return (f"In words: {'; '.join(f'{lane} runs ' + (', '.join(ops) or 'no op') for lane, ops in runs.items())}.\n"
            f"Transfers: {'; '.join(moves) or 'none'}.")
