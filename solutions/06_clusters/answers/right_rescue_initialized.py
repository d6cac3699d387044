# exercise: rescue
# score:    8/8
# why:      asks which variables are initialised, then fetches those
def rescue(target, variables):
    with tf.Graph().as_default() as graph:
        made = {}
        for name, (task, shape) in variables.items():
            with tf.device(f"/job:ps/replica:0/task:{task}"):
                made[name] = v1.get_variable(name, shape, tf.float32, v1.zeros_initializer())
        there = {name: v1.is_variable_initialized(variable) for name, variable in made.items()}
        config = v1.ConfigProto(operation_timeout_in_ms=30_000)
        with v1.Session(target, graph=graph, config=config) as session:
            known = [name for name, yes in session.run(there).items() if yes]
            found = session.run({name: made[name] for name in known}) if known else {}
    return {name: found[name].tolist() if name in found else None for name in variables}


def rescued(start, steps, variables):
    """Given, for the checks: a client trains, does not save and goes away; then your function, twice."""
    ready_cluster()
    target = lost_training(start, steps)
    return [rescue(target, variables), rescue(target, variables)]

def rescued_elsewhere(start, steps, variables):
    """Given, for the checks: the same on a cluster of its own, once."""
    with LocalCluster({"ps": 2, "worker": 1}, name="elsewhere") as other:
        return rescue(lost_training(start, steps, other), variables)
