# exercise: shard
# score:    5/7
# fails:    shard-drawn: deep is the largest
# why:      counts two dimensions of a shape only
def shard(shapes, ps):
    """Build a graph whose variables are spread over ps tasks by size.

    Args:
        shapes: dict, variable name -> list of int.
        ps: int, number of ps tasks, 1 or more.
    Returns:
        bytes: the graph as a serialized GraphDef, with a scalar float32 tensor "total:0".
    """
    load, variables = [0] * ps, []
    with tf.Graph().as_default() as graph:
        for name in sorted(shapes, key=lambda name: -(shapes[name][0] * (shapes[name][1] if len(shapes[name]) > 1 else 1))):
            task = load.index(min(load))
            load[task] += 4 * (shapes[name][0] * (shapes[name][1] if len(shapes[name]) > 1 else 1))
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(name, initializer=tf.ones(shapes[name]), use_resource=True))
        with tf.device("/job:worker/task:0"):
            tf.add_n([tf.reduce_sum(variable) for variable in variables], name="total")
    return graph.as_graph_def().SerializeToString()

def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
