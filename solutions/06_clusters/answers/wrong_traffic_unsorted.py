# exercise: traffic
# score:    3/8
# breaks:   1
# fails:    traffic-fetch: the rows are right, and not sorted
# fails:    traffic-dtypes: the rows are right, and not sorted
# fails:    traffic-back: the rows are right, and not sorted
# why:      sorted by size
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows, key=lambda row: row[3], reverse=True)
