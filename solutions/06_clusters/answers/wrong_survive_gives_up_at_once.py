# exercise: survive
# score:    1/8
# breaks:   6
# fails:    survive-patience: before patience was over
# fails:    survive-kill: gave up within 40
# fails:    survive-resume: too early
# fails:    survive-thrice: too early
# why:      the first error is taken for the end of patience
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    session = v1.Session(target, graph=step_graph())
    count = session.run("count:0")
    try:
        while count < steps:
            count = session.run("train:0")
            after_step(count)
    except tf.errors.OpError:
        raise TimeoutError("the worker is dead") from None

def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
