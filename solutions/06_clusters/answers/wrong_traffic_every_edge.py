# exercise: traffic
# score:    3/9
# fails:    traffic-weights, traffic-dtypes
# says:     travels once
# why:      reads requests and edges instead of running: an edge for each reader
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    task = lambda op: op.device.split("job:")[1].replace("/task:", "/").split("/device")[0] if op.device else ""
    rows = [[tensor.op.name, task(tensor.op), task(op), size_in_bytes(graph, tensor.name)] for op in graph.get_operations()
            for tensor in op.inputs if tensor.dtype != tf.resource and task(tensor.op) != task(op)]
    return sorted(rows)
