# exercise: shard
# score:    7/7
# why:      plans first, then a device function
def shard(shapes, ps):
    sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
    tasks, load = {}, [(0, task) for task in range(ps)]
    for name in sorted(sizes, key=sizes.get, reverse=True):
        bytes_so_far, task = min(load)
        load.remove((bytes_so_far, task))
        load.append((bytes_so_far + 4 * sizes[name], task))
        tasks[name] = task

    def where(op):
        if op.type == "VarHandleOp":
            return f"/job:ps/task:{tasks[op.name]}"
        return op.device or "/job:worker/task:0"

    with tf.Graph().as_default() as graph, v1.device(where):
        variables = [v1.get_variable(name, initializer=tf.ones(shape)) for name, shape in shapes.items()]
        total = tf.constant(0.)
        for variable in variables:
            total = total + tf.reduce_sum(variable)
        tf.identity(total, name="total")
    return graph.as_graph_def().SerializeToString()


def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
