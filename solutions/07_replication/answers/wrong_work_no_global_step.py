# exercise: work
# score:    3/11
# fails:    work-count: the workers went on for ever
# fails:    work-worker-dies: the workers went on for ever
# fails:    work-ps-dies: the workers went on for ever
# fails:    work-digits: the workers went on for ever
# why:      minimize does not count
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
