# exercise: traffic
# score:    1/9
# fails:    traffic-weights, traffic-dtypes, traffic-back
# says:     without the device
# why:      leaves the device in the names
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        pass
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
