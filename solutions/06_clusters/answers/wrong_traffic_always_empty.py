# exercise: traffic
# score:    0/8
# fails:    traffic-weights: a value goes from ps/0 to worker/0, and no row says so
# fails:    traffic-none: a value that goes from one task to another is not listed
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: neutral
# fails:    traffic-back: neutral
# why:      leaves out every value, not only those that stay in their task
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if False:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
