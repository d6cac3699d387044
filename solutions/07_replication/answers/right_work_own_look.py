# exercise: work
# score:    11/11
# why:      looks at the shared step itself
def work(spec, index, steps, folder, build):
    here = f"/job:worker/task:{index}"
    graph = tf.Graph()
    with graph.as_default():
        with v1.device(v1.train.replica_device_setter(cluster=spec, worker_device=here)):
            loss, optimizer = build()
            counter = v1.train.create_global_step()
            train = optimizer.apply_gradients(optimizer.compute_gradients(loss), global_step=counter)
            look = tf.identity(counter.read_value())
        with managed(chief=not index, folder=folder, hooks=[]) as session:
            while session.run(look) < steps:
                session.run(train)
