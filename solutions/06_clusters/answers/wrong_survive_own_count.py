# exercise: survive
# score:    2/8
# breaks:   2
# fails:    survive-kill: it made too many steps: the count on the ps says how many there are
# fails:    survive-resume: too many steps: `steps` is the count to reach, not how many steps to make
# fails:    survive-thrice: neutral
# why:      makes all steps again after a death
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last = step_graph(), time.monotonic()
    while True:
        try:
            session = v1.Session(target, graph=graph, config=config)
            count = 0
            while count < steps:
                after_step(session.run("train:0"))
                count += 1
                last = time.monotonic()
            return
        except tf.errors.OpError:
            if time.monotonic() - last > patience:
                raise TimeoutError(f"no step for {patience} s") from None
            time.sleep(0.1)

def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
