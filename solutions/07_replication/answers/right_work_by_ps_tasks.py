# exercise: work
# score:    11/11
# why:      the setter gets the number of ps tasks
def work(spec, index, steps, folder, build):
    def device():
        return v1.train.replica_device_setter(ps_tasks=spec.num_tasks("ps"), worker_device="/job:worker/task:%d" % index)

    with tf.Graph().as_default() as graph, graph.device(device()):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, step)
        hooks = [v1.train.StopAtStepHook(last_step=steps)]
        session = managed(index == 0, folder, hooks)
        while not session.should_stop():
            session.run(train)
        session.close()
