# exercise: survive
# score:    3/10
# fails:    survive-kill, survive-resume, survive-twice
# says:     ask the ps for the count
# why:      makes all steps again after a death
def survive(target, steps, after_step, patience):
    config, last, done = v1.ConfigProto(operation_timeout_in_ms=2000), time.monotonic(), False
    while not done:
        try:
            with v1.Session(target, graph=step_graph(), config=config) as session:
                for _ in range(steps):
                    after_step(session.run("train:0"))
                    last = time.monotonic()
                done = True
        except tf.errors.OpError:
            if time.monotonic() - last > patience:
                raise TimeoutError


def survived(begin, steps, kills, back=0.5, patience=40.):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return drill(survive, begin, steps, kills, back, patience)
