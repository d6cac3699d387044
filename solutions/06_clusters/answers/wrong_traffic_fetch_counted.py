# exercise: traffic
# score:    0/8
# breaks:   5
# fails:    traffic-weights: y stays in worker/0: it is only handed to the master
# fails:    traffic-none: a value that stays in its task is listed
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: a value that stays in its task is listed
# fails:    traffic-back: neutral
# why:      counts the value that is handed to the master
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if True:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
