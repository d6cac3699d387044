# exercise: work
# score:    1/11
# breaks:   3
# fails:    work-places: not all variables are on a ps
# fails:    work-count: a worker ended with an error:
# fails:    work-worker-dies: a worker was never done, or ended with an error:
# fails:    work-ps-dies: a worker ended with an error:
# fails:    work-digits: a worker ended with an error:
# why:      each worker has a step of its own
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        with v1.device(f"/job:worker/task:{index}"):
            step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
