# exercise: work
# score:    7/11
# fails:    work-worker-dies: too many steps were made: each worker counts for itself, so the new
# fails:    work-ps-dies: at the end
# why:      each worker makes its part of the steps, counted by itself
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, []) as session:
            for _ in range(steps // spec.num_tasks("worker")):
                session.run(train)
