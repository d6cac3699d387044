# exercise: traffic
# score:    8/8
# why:      reads the receiving ends
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(v1.GraphDef.FromString(data), name="")
    _, metadata = on_cluster(graph, fetch)
    found = set()
    for partition in metadata.partition_graphs:
        for node in partition.node:
            if node.op != "_Recv":
                continue
            ends = []
            for which in ("send_device", "recv_device"):
                spec = tf.DeviceSpec.from_string(node.attr[which].s.decode())
                ends.append(f"{spec.job}/{spec.task}")
            name = node.attr["tensor_name"].s.decode()
            if ends[0] != ends[1]:
                name = name.split("_", 2)[2] if name.startswith("edge_") else name.split(":")[0]
                tensor = graph.get_tensor_by_name(name + ":0")
                found.add((name, *ends, int(np.prod(tensor.shape)) * tensor.dtype.size))
    return [list(row) for row in sorted(found)]
