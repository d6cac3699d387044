# exercise: shard
# score:    5/7
# breaks:   9
# fails:    shard-ran: neutral
# why:      the total leaves out every variable that is no vector
def shard(shapes, ps):
    load, variables = [0] * ps, []
    with tf.Graph().as_default() as graph:
        for name in sorted(shapes, key=lambda name: -int(np.prod(shapes[name]))):
            task = load.index(min(load))
            load[task] += 4 * int(np.prod(shapes[name]))
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(name, initializer=tf.ones(shapes[name]), use_resource=True))
        with tf.device("/job:worker/task:0"):
            vectors = [variable for variable in variables if len(variable.shape) == 1]
            tf.add_n([tf.reduce_sum(variable, axis=0) for variable in vectors] or [tf.constant(0.0)], name="total")
    return graph.as_graph_def().SerializeToString()
