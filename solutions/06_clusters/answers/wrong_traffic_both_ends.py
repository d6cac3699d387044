# exercise: traffic
# score:    1/9
# fails:    traffic-weights, traffic-dtypes, traffic-back
# says:     has a _Send and a _Recv
# why:      counts the sending and the receiving end
def traffic(data, fetch):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows + rows)
