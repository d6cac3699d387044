# exercise: shard
# score:    6/7
# breaks:   11
# fails:    shard-work: a variable's values are computed with on a ps
# why:      the mean times the number of elements, on the variable's ps
def shard(shapes, ps):
    load, variables = [0] * ps, []
    with tf.Graph().as_default() as graph:
        for name in sorted(shapes, key=lambda name: -int(np.prod(shapes[name]))):
            task = load.index(min(load))
            load[task] += 4 * int(np.prod(shapes[name]))
            with tf.device(f"/job:ps/task:{task}"):
                variable = v1.get_variable(name, initializer=tf.ones(shapes[name]), use_resource=True)
                count = float(np.prod(shapes[name]))
                variables.append(tf.reduce_mean(variable) * count)   # the sum, on the ps
        with tf.device("/job:worker/task:0"):
            tf.add_n(variables, name="total")
    return graph.as_graph_def().SerializeToString()

def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
