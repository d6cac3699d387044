# exercise: work
# score:    10/10
# why:      looks at the shared step itself
def work(spec, index, steps, folder, build):
    here = f"/job:worker/task:{index}"
    graph = tf.Graph()
    with graph.as_default():
        with v1.device(v1.train.replica_device_setter(cluster=spec, worker_device=here)):
            loss, counter = build(), v1.train.create_global_step()
            optimizer = v1.train.GradientDescentOptimizer(1.)
            train = optimizer.apply_gradients(optimizer.compute_gradients(loss), global_step=counter)
            look = tf.identity(counter.read_value())
        with managed(chief=not index, folder=folder, hooks=[]) as session:
            while session.run(look) < steps:
                session.run(train)

import inspect

def worked(ps, workers, steps, kill=None, done={}):
    """Given, for the checks: what the cluster did with your function; asked again, the same record."""
    text = inspect.getsource(work)
    if (text, ps, workers, steps, kill) not in done:
        done[text, ps, workers, steps, kill] = job_drill(text, ps, workers, steps, kill)
    if "NotImplementedError" in done[text, ps, workers, steps, kill]["error"]:
        raise NotImplementedError("write this exercise first")
    return done[text, ps, workers, steps, kill]
