# exercise: traffic
# score:    1/8
# breaks:   4
# fails:    traffic-weights: one value is counted twice: it has a _Send and a _Recv
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: `half` is listed twice: two ops of worker/0 use it, but it travels once
# fails:    traffic-back: neutral
# why:      counts the sending and the receiving end
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows + rows)
