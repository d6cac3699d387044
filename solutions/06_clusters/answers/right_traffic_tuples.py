# exercise: traffic
# score:    8/8
# why:      rows as tuples
def traffic(data, fetch):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    record = on_cluster(graph, fetch)[1]
    moves = [(name, a.split(" ")[0], b.split(" ")[0]) for name, a, b in transfers_of(record)]
    return sorted((*move, size_in_bytes(graph, move[0])) for move in moves if move[1] != move[2])
