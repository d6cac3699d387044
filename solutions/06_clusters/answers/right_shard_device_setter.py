# exercise: shard
# score:    7/7
# why:      TensorFlow's own device setter with a strategy
def shard(shapes, ps):
    load = np.zeros(ps, int)
    tasks = {}
    names = list(shapes)
    names.sort(key=lambda name: np.prod(shapes[name]), reverse=True)
    for name in names:
        tasks[name] = int(load.argmin())
        load[tasks[name]] += np.prod(shapes[name])

    setter = v1.train.replica_device_setter(
        ps_tasks=ps, worker_device="/job:worker/task:0", merge_devices=True,
        ps_strategy=lambda op: tasks[op.name],
    )
    with tf.Graph().as_default() as graph, v1.device(setter):
        made = [v1.get_variable(name, initializer=tf.ones(shape)) for name, shape in shapes.items()]
        flat = tf.concat([tf.reshape(variable, [-1]) for variable in made], 0)
        tf.reduce_sum(flat, name="total")
    return graph.as_graph_def().SerializeToString()


def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
