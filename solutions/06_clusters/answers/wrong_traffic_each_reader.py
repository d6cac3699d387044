# exercise: traffic
# score:    4/8
# breaks:   4
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: `half` is listed twice: two ops of worker/0 use it, but it travels once
# why:      one row for each op that uses the value
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            readers = []
            for op in graph.get_tensor_by_name(f"{name}:0").consumers():
                spec = tf.DeviceSpec.from_string(op.device)
                if f"{spec.job}/{spec.task}" == target:
                    readers.append(op.name)
            for _ in readers or [name]:
                rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
