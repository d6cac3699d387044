# exercise: work
# score:    2/11
# breaks:   4
# fails:    work-count: the chief is worker 0 alone
# fails:    work-chief: every worker is chief: each initialises, over what the others have
# fails:    work-worker-dies: the chief is worker 0 alone
# fails:    work-ps-dies: the chief is worker 0 alone
# fails:    work-digits: the chief is worker 0 alone
# why:      every worker is chief
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(True, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
