# exercise: work
# score:    0/11
# fails:    work-places: NameError
# fails:    work-count: NameError
# fails:    work-chief: NameError
# fails:    work-worker-dies: NameError
# fails:    work-ps-dies: NameError
# fails:    work-digits: NameError
# why:      a function that is written beside it, not inside it: the processes do not know it
def hooks_of(steps):
    return [v1.train.StopAtStepHook(last_step=steps)]


def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, hooks_of(steps)) as session:
            while not session.should_stop():
                session.run(train)
