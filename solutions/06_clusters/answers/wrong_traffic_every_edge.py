# exercise: traffic
# score:    3/8
# fails:    traffic-weights: a value goes from ps/0 to worker/0, and no row says so
# fails:    traffic-none: a value that goes from one task to another is not listed
# fails:    traffic-dtypes: `half` is listed twice: two ops of worker/0 use it, but it travels once
# why:      reads edges instead of the record: one for each reader
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")

    def task(op):
        spec = tf.DeviceSpec.from_string(op.device)
        return f"{spec.job}/{spec.task}" if spec.job else "worker/0"

    rows, waiting, seen = [], [graph.get_tensor_by_name(fetch).op], set()
    while waiting:
        op = waiting.pop()
        if op.name in seen:
            continue
        seen.add(op.name)
        for tensor in op.inputs:
            waiting.append(tensor.op)
            if tensor.dtype != tf.resource and task(tensor.op) != task(op):
                rows.append([tensor.op.name, task(tensor.op), task(op), size_in_bytes(graph, tensor.name)])
    if task(graph.get_tensor_by_name(fetch).op) != "worker/0":
        rows.append([fetch[:-2], task(graph.get_tensor_by_name(fetch).op), "worker/0", size_in_bytes(graph, fetch)])
    return sorted(rows)
