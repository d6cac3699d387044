# exercise: rescue
# score:    0/10
# fails:    rescue-one, rescue-missing, rescue-many, rescue-again
# says:     isolated session
# why:      a session that is isolated
def rescue(target, variables):
    values = {}
    with tf.Graph().as_default() as graph:
        for name, (task, shape) in variables.items():
            with tf.device(f"/job:ps/task:{task}"):
                values[name] = v1.get_variable(name, shape=shape)
    with v1.Session(target, graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=30_000, isolate_session_state=True)) as session:
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
