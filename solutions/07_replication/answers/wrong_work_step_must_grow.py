# exercise: work
# score:    9/11
# breaks:   7
# fails:    work-ps-dies: a worker ended with an error: RuntimeError: the shared step fell back
# why:      takes a step that fell back for a mistake
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        look = tf.identity(step.read_value())
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            highest = 0
            while not session.should_stop():
                _, now = session.run([train, look])
                if now < highest - 3:
                    raise RuntimeError("the shared step fell back")
                highest = max(highest, now)
