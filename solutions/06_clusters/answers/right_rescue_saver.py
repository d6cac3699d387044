# exercise: rescue
# score:    8/8
# why:      saves each by a Saver and reads the checkpoint
import tempfile

def rescue(target, variables):
    values = {}
    for name, (task, shape) in variables.items():
        with tf.Graph().as_default() as graph, tf.device(f"/job:ps/task:{task}"):
            variable = v1.get_variable(name, shape=shape)
            saver = v1.train.Saver([variable])
        with v1.Session(target, graph=graph) as session, tempfile.TemporaryDirectory() as folder:
            try:
                path = saver.save(session, f"{folder}/one", write_meta_graph=False)
                values[name] = tf.train.load_variable(path, name).tolist()
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
