# exercise: work
# score:    11/11
# why:      a device function of one's own
def work(spec, index, steps, folder, build):
    tasks, placed = len(spec.as_dict()["ps"]), []

    def where(op):
        if op.type in ("VarHandleOp", "Variable", "VariableV2"):
            placed.append(op.name)
            return f"/job:ps/task:{(len(placed) - 1) % tasks}"
        return f"/job:worker/task:{index}"

    with tf.Graph().as_default() as graph:
        with v1.device(where):
            global_step = v1.train.get_or_create_global_step(graph)
            loss, optimizer = build()
            train = optimizer.minimize(loss, global_step=global_step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
