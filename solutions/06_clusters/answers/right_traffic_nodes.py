# exercise: traffic
# score:    9/9
# why:      reads the receiving ends
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(v1.GraphDef.FromString(data), name="")
    _, metadata = on_cluster(graph, fetch)
    found = set()
    for partition in metadata.partition_graphs:
        for node in partition.node:
            if node.op == "_Recv":
                ends = [tf.DeviceSpec.from_string(node.attr[which].s.decode()) for which in ("send_device", "recv_device")]
                source, target = (f"{end.job}/{end.task}" for end in ends)
                name = node.attr["tensor_name"].s.decode()
                if source != target and name.startswith("edge_"):
                    name = name.split("_", 2)[2]
                    tensor = graph.get_tensor_by_name(name + ":0")
                    found.add((name, source, target, int(np.prod(tensor.shape)) * tensor.dtype.size))
    return [list(row) for row in sorted(found)]
