# exercise: survive
# score:    0/8
# breaks:   1
# fails:    survive-calm: the variables were initialised again: w is 0
# fails:    survive-kill: the variables were initialised again: w is 0
# fails:    survive-resume: the variables were initialised again: w is 0
# fails:    survive-thrice: neutral
# fails:    survive-patience: neutral
# why:      initialises in each new session
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last = step_graph(), time.monotonic()
    while True:
        try:
            session = v1.Session(target, graph=graph, config=config)
            session.run("init")
            count = session.run("count:0")
            while count < steps:
                count = session.run("train:0")
                last = time.monotonic()
                after_step(count)
            return
        except tf.errors.OpError:
            if time.monotonic() - last > patience:
                raise TimeoutError(f"no step for {patience} s") from None
            time.sleep(0.1)

def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
