# exercise: work
# score:    3/11
# breaks:   6
# fails:    work-count: the workers went on for ever
# fails:    work-worker-dies: the workers went on for ever
# fails:    work-ps-dies: the workers went on for ever
# fails:    work-digits: the workers went on for ever
# why:      goes on after the last step
def work(spec, index, steps, folder, build):
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, []) as session:
            while True:
                session.run(train)
