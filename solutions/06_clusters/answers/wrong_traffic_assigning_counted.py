# exercise: traffic
# score:    6/8
# breaks:   3
# fails:    traffic-fetch: `first` moves when the variable is assigned, not in the run of the fetch
# why:      counts what moves when variables are assigned
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    setting, options = v1.RunMetadata(), v1.RunOptions(output_partition_graphs=True)
    with v1.Session(cluster.target("worker/0"), graph=graph) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"], None, options, setting)
    for name, source, target in transfers_of(setting) + transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
