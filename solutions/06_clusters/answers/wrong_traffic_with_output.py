# exercise: traffic
# score:    1/8
# breaks:   7
# fails:    traffic-weights: neutral
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: neutral
# fails:    traffic-back: neutral
# why:      writes the tensor's name with its :0
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([f"{name}:0", source, target, size_in_bytes(graph, name)])
    return sorted(rows)
