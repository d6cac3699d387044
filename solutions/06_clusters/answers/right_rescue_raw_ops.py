# exercise: rescue
# score:    8/8
# why:      reads by the handle, without a variable
def rescue(target, variables):
    result = dict.fromkeys(variables)
    graph = tf.Graph()
    reads = {}
    with graph.as_default():
        for name, (task, shape) in variables.items():
            with tf.device(tf.DeviceSpec(job="ps", task=task).to_string()):
                handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=shape, shared_name=name)
                reads[name] = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
    session = v1.Session(target, graph=graph)
    for name in reads:
        try:
            result[name] = np.asarray(session.run(reads[name])).tolist()
        except tf.errors.OpError as error:
            if error.error_code != tf.errors.FAILED_PRECONDITION:
                raise
    session.close()
    return result


def rescued(start, steps, variables):
    """Given, for the checks: a client trains, does not save and goes away; then your function, twice."""
    ready_cluster()
    target = lost_training(start, steps)
    return [rescue(target, variables), rescue(target, variables)]

def rescued_elsewhere(start, steps, variables):
    """Given, for the checks: the same on a cluster of its own, once."""
    with LocalCluster({"ps": 2, "worker": 1}, name="elsewhere") as other:
        return rescue(lost_training(start, steps, other), variables)
