# exercise: work
# score:    2/10
# fails:    work-count, work-chief, work-worker-dies, work-ps-dies
# says:     every worker is chief
# why:      every worker is chief
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        train = v1.train.GradientDescentOptimizer(1.).minimize(build(), global_step=step)
        with managed(True, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
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
