# exercise: work
# score:    11/11
# why:      looks at the shared step itself
def work(spec, index, steps, folder, build):
    here = f"/job:worker/task:{index}"
    graph = tf.Graph()
    with graph.as_default():
        with v1.device(v1.train.replica_device_setter(cluster=spec, worker_device=here)):
            loss, optimizer = build()
            counter = v1.train.create_global_step()
            train = optimizer.apply_gradients(optimizer.compute_gradients(loss), global_step=counter)
            look = tf.identity(counter.read_value())
        with managed(chief=not index, folder=folder, hooks=[]) as session:
            while session.run(look) < steps:
                session.run(train)

import inspect

def worked(ps, workers, steps, kill=None, digits=False):
    """Given, for the checks: what the cluster did with your function; asked again, the same."""
    text, around = inspect.getsource(work), open("around.py").read()
    record = job_drill(text, around, ps, workers, steps, kill, digits)
    if "NotImplementedError" in record["error"]:
        raise NotImplementedError("write this exercise first")
    return record
