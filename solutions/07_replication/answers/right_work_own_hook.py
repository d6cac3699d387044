# exercise: work
# score:    11/11
# why:      a hook of one's own ends the work
def work(spec, index, steps, folder, build):
    class Enough(v1.train.SessionRunHook):
        def before_run(self, context):
            return v1.train.SessionRunArgs(v1.train.get_global_step())

        def after_run(self, context, values):
            if values.results >= steps:
                context.request_stop()

    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        v1.train.create_global_step()
        loss, optimizer = build()
        step_op = optimizer.minimize(loss, v1.train.get_global_step())
        session = managed(index == 0, folder, (Enough(),))
        with session:
            while not session.should_stop():
                session.run(step_op)
