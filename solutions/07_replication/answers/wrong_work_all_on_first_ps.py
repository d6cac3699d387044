# exercise: work
# score:    9/11
# breaks:   1
# fails:    work-places: all variables are on one ps task
# why:      all variables on the first ps
def work(spec, index, steps, folder, build):
    def setter(op):
        if op.type in ("VarHandleOp", "VariableV2"):
            return "/job:ps/task:0"
        return f"/job:worker/task:{index}"

    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
