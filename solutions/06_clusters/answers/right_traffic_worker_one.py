# exercise: traffic
# score:    9/9
# why:      rows as tuples
def traffic(data, fetch):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    record = on_cluster(graph, fetch)[1]
    rows = [(name, a.split(" ")[0], b.split(" ")[0], size_in_bytes(graph, name)) for name, a, b in transfers_of(record)]
    return sorted(row for row in rows if row[1] != row[2])
