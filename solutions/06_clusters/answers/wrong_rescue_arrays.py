# exercise: rescue
# score:    0/8
# breaks:   5
# fails:    rescue-one: the values are not a list: array.tolist() makes one
# fails:    rescue-missing: a value is an array: array.tolist()
# fails:    rescue-many: a value is an array: array.tolist()
# fails:    rescue-again: a value is an array: array.tolist()
# fails:    rescue-elsewhere: a value is an array: array.tolist()
# why:      returns arrays
def rescue(target, variables):
    """Fetch the values of variables that a client left behind in a cluster."""
    values = {}
    with tf.Graph().as_default() as graph:
        for name, (task, shape) in variables.items():
            with tf.device(f"/job:ps/task:{task}"):
                values[name] = v1.get_variable(name, shape=shape)
    with v1.Session(target, graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=30_000)) as session:
        for name, variable in values.items():
            try:
                values[name] = session.run(variable)
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
