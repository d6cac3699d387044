# exercise: work
# score:    10/10
# why:      the setter gets the number of ps tasks
def work(spec, index, steps, folder, build):
    def device():
        return v1.train.replica_device_setter(ps_tasks=spec.num_tasks("ps"), worker_device="/job:worker/task:%d" % index)

    with tf.Graph().as_default() as graph, graph.device(device()):
        step = v1.train.get_or_create_global_step()
        train = v1.train.GradientDescentOptimizer(1.).minimize(build(), step)
        hooks = [v1.train.StopAtStepHook(last_step=steps)]
        session = managed(index == 0, folder, hooks)
        while not session.should_stop():
            session.run(train)
        session.close()

import inspect

def worked(ps, workers, steps, kill=None, done={}):
    """Given, for the checks: what the cluster did with your function; asked again, the same record."""
    text = inspect.getsource(work)
    if (text, ps, workers, steps, kill) not in done:
        done[text, ps, workers, steps, kill] = job_drill(text, ps, workers, steps, kill)
    if "NotImplementedError" in done[text, ps, workers, steps, kill]["error"]:
        raise NotImplementedError("write this exercise first")
    return done[text, ps, workers, steps, kill]
