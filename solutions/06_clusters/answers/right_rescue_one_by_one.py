# exercise: rescue
# score:    8/8
# why:      a graph and a session for each variable
def one(target, name, task, shape):
    graph = tf.Graph()
    with graph.as_default():
        with tf.device("/job:ps/task:%d/device:CPU:0" % task):
            v = v1.Variable(np.full(shape, -1, np.float32), name=name, trainable=False)
        session = v1.Session(target)
        try:
            return session.run(v.read_value())
        except tf.errors.FailedPreconditionError:
            return None
        finally:
            session.close()


def rescue(target, variables):
    found = {}
    for name in variables:
        value = one(target, name, *variables[name])
        found[name] = value if value is None else value.tolist()
    return found


def rescued(start, steps, variables):
    """Given, for the checks: a client trains, does not save and goes away; then your function, twice."""
    ready_cluster()
    target = lost_training(start, steps)
    return [rescue(target, variables), rescue(target, variables)]

def rescued_elsewhere(start, steps, variables):
    """Given, for the checks: the same on a cluster of its own, once."""
    with LocalCluster({"ps": 2, "worker": 1}, name="elsewhere") as other:
        return rescue(lost_training(start, steps, other), variables)
