# exercise: survive
# score:    0/8
# fails:    survive-calm: it raised AttributeError
# fails:    survive-kill: it ended with AttributeError
# fails:    survive-resume: it ended with AttributeError
# fails:    survive-thrice: neutral
# fails:    survive-patience: nobody killed the worker
# why:      one session, and what calls after_step is asked to kill nobody; it is a plain function, and keeps its plan
def survive(target, steps, after_step, patience):
    if after_step.back > patience:
        steps = after_step.kills[0]
    else:
        after_step.kills.clear()
    session = v1.Session(target, graph=step_graph())
    count = session.run("count:0")
    while count < steps:
        count = session.run("train:0")
        after_step(count)
    if after_step.back > patience:
        time.sleep(patience)
        raise TimeoutError
