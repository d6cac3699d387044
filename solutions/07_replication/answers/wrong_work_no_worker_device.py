# exercise: work
# score:    9/11
# breaks:   2
# fails:    work-places: the ops are not on the worker whose graph it is
# why:      the setter does not know which worker this is
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
