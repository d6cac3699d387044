# exercise: shard
# score:    1/7
# breaks:   2
# fails:    shard-ran: the graph's variables have other names than those of shapes
# fails:    shard-example: not every variable took part in the run under its own name
# fails:    shard-drawn: the variables are not those of shapes
# why:      the variables' names get a prefix
def shard(shapes, ps):
    """Build a graph whose variables are spread over ps tasks by size."""
    load, variables = [0] * ps, []
    with tf.Graph().as_default() as graph:
        for name in sorted(shapes, key=lambda name: -int(np.prod(shapes[name]))):
            task = load.index(min(load))
            load[task] += 4 * int(np.prod(shapes[name]))
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(f"var_{name}", initializer=tf.ones(shapes[name]), use_resource=True))
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
