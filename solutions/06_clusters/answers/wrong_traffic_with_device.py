# exercise: traffic
# score:    1/8
# breaks:   6
# fails:    traffic-weights: a row names a device; write the task only, ps/0
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: neutral
# fails:    traffic-back: neutral
# why:      leaves the device in the names
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
