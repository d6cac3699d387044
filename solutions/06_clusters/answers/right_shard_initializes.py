# exercise: shard
# score:    7/7
# why:      total makes the variables begin as ones itself
def shard(shapes, ps):
    load, variables = [0] * ps, []
    with tf.Graph().as_default() as graph:
        for name in sorted(shapes, key=lambda name: -int(np.prod(shapes[name]))):
            task = load.index(min(load))
            load[task] += 4 * int(np.prod(shapes[name]))
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(name, initializer=tf.ones(shapes[name]), use_resource=True))
        with tf.device("/job:worker/task:0"), tf.control_dependencies([v.initializer for v in variables]):
            tf.add_n([tf.reduce_sum(variable.read_value()) for variable in variables], name="total")
    return graph.as_graph_def().SerializeToString()


def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
