# exercise: traffic
# score:    0/9
# fails:    traffic-weights, traffic-none, traffic-dtypes, traffic-back
# says:     stays in its task
# why:      counts the value that is handed to the master
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
