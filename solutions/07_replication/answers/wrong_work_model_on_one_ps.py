# exercise: work
# score:    9/11
# breaks:   1
# fails:    work-places: all weights of the model are on one ps
# why:      an own setter lays the global step on the last ps, and every weight on the first
def work(spec, index, steps, folder, build):
    last = spec.num_tasks("ps") - 1

    def setter(op):
        if op.type not in ("VarHandleOp", "VariableV2"):
            return f"/job:worker/task:{index}"
        return f"/job:ps/task:{last if op.name == 'global_step' else 0}"

    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
