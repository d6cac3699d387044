# exercise: traffic
# score:    0/8
# breaks:   1
# fails:    traffic-weights: the result is not a list of rows with four entries
# fails:    traffic-none: the result is not a list
# fails:    traffic-fetch: the result is not a list of rows with four entries
# fails:    traffic-dtypes: the result is not a list of rows with four entries
# fails:    traffic-back: the result is not a list of rows with four entries
# why:      a dict instead of rows
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return {row[0]: row[1:] for row in rows}
