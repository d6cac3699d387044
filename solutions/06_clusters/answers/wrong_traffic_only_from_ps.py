# exercise: traffic
# score:    5/8
# fails:    traffic-fetch: neutral
# fails:    traffic-back: what goes from a worker to a ps is missing
# why:      looks only at what leaves a ps
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source.startswith("ps"):
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
