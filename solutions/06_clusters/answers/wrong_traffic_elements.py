# exercise: traffic
# score:    1/8
# breaks:   8
# fails:    traffic-weights: that is the number of elements; each has 4 bytes
# fails:    traffic-fetch: neutral
# fails:    traffic-dtypes: the bytes are not the elements times those of one: float16 has 2, float64 has 8, int8 has 1
# fails:    traffic-back: neutral
# why:      counts elements, not bytes
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, graph.get_tensor_by_name(f"{name}:0").shape.num_elements()])
    return sorted(rows)
