# exercise: survive
# score:    1/8
# fails:    survive-kill: it ended with a step without the worker
# fails:    survive-resume: it ended with a step without the worker
# fails:    survive-thrice: it ended with a step without the worker
# fails:    survive-patience: it ended with a step without the worker
# why:      halves w by itself, on the ps alone: the worker never has anything to do
def survive(target, steps, after_step, patience):
    w, count = on_ps(target, ["get_w:0", "get_steps:0"])
    while count < steps:
        w, count = w / 2, count + 1
        on_ps(target, ["set_w", "set_steps"], {"new_w:0": w, "new_steps:0": count})
        after_step(count)
