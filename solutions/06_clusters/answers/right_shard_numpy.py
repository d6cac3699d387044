# exercise: shard
# score:    7/7
# why:      whole device names, and the sum of a stack
def shard(shapes, ps):
    order = sorted(shapes.items(), key=lambda item: np.prod(item[1]), reverse=True)
    filled = np.zeros(ps)
    with tf.Graph().as_default() as graph:
        total = []
        for name, shape in order:
            task = int(np.argmin(filled))
            filled[task] += np.prod(shape)
            with tf.device("/job:ps/replica:0/task:%d/device:CPU:0" % task):
                w = v1.get_variable(name, initializer=tf.ones(shape))
            with tf.device("/job:worker/task:0/device:CPU:0"):
                total.append(tf.reduce_sum(w))
        with tf.device("/job:worker/task:0/device:CPU:0"):
            tf.stack(total)
            tf.reduce_sum(tf.stack(total), name="total")
    return graph.as_graph_def().SerializeToString()


def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
