# exercise: work
# score:    9/11
# breaks:   5
# fails:    work-count: returned long before
# why:      all but the chief make one step and return: the chief makes the rest
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            session.run(train)
            while index == 0 and not session.should_stop():
                session.run(train)
