# exercise: rescue
# score:    3/8
# breaks:   2
# fails:    rescue-one: no such variable was found: this name, on ps/1, in the default container
# fails:    rescue-many: a variable was not found, and all three are there
# fails:    rescue-elsewhere: no such variable was found in the cluster of `target`
# why:      looks on the first ps only
def rescue(target, variables):
    """Fetch the values of variables that a client left behind in a cluster."""
    values = {}
    with tf.Graph().as_default() as graph:
        for name, (task, shape) in variables.items():
            with tf.device("/job:ps/task:0"):
                values[name] = v1.get_variable(name, shape=shape)
    with v1.Session(target, graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=30_000)) as session:
        for name, variable in values.items():
            try:
                values[name] = session.run(variable).tolist()
            except tf.errors.FailedPreconditionError:
                values[name] = None
    return values

def rescued(start, steps, variables):
    """Given, for the checks: a client trains, does not save and goes away; then your function, twice."""
    ready_cluster()
    target = lost_training(start, steps)
    return [rescue(target, variables), rescue(target, variables)]

def rescued_elsewhere(start, steps, variables):
    """Given, for the checks: the same on a cluster of its own, once."""
    with LocalCluster({"ps": 2, "worker": 1}, name="elsewhere") as other:
        return rescue(lost_training(start, steps, other), variables)
