# exercise: work
# score:    9/11
# breaks:   2
# fails:    work-places: gradients are computed on a ps
# why:      minimize stands on a ps: the gradients are computed there
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default():
        with v1.device(setter):
            step = v1.train.get_or_create_global_step()
            loss, optimizer = build()
        with v1.device("/job:ps/task:0"):
            train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
