# exercise: rescue
# score:    0/8
# breaks:   4
# fails:    rescue-one: none of the trained numbers is left: an initialiser overwrites them
# fails:    rescue-missing: a variable that nobody initialised has no value: None
# fails:    rescue-many: neutral
# fails:    rescue-again: neutral
# fails:    rescue-elsewhere: neutral
# alone:    it gives variables of the shared cluster values, which other answers would find
# why:      initialises first
def rescue(target, variables):
    """Fetch the values of variables that a client left behind in a cluster."""
    values = {}
    with tf.Graph().as_default() as graph:
        for name, (task, shape) in variables.items():
            with tf.device(f"/job:ps/task:{task}"):
                values[name] = v1.get_variable(name, shape=shape)
    with v1.Session(target, graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=30_000)) as session:
        session.run([variable.initializer for variable in values.values()])
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
