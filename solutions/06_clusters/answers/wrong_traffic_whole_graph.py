# exercise: traffic
# score:    6/8
# breaks:   2
# fails:    traffic-fetch: worker/1 got the numbers of ps/1, which this fetch does not need there
# why:      runs everything in the graph, not only the fetch
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, [op for op in graph.get_operations() if op.type in ("AddV2", "Identity", "Sum", "Cast")])[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
