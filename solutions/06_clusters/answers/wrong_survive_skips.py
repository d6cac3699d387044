# exercise: survive
# score:    3/10
# fails:    survive-kill, survive-resume, survive-twice
# says:     counted as made
# why:      a step that failed is counted as made
def survive(target, steps, after_step, patience):
    config, last = v1.ConfigProto(operation_timeout_in_ms=2000), time.monotonic()
    session = v1.Session(target, graph=step_graph(), config=config)
    for _ in range(steps):
        try:
            after_step(session.run("train:0"))
            last = time.monotonic()
        except tf.errors.OpError:
            if time.monotonic() - last > patience:
                raise TimeoutError
            session = v1.Session(target, graph=step_graph(), config=config)


def survived(begin, steps, kills, back=0.5, patience=40.):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return drill(survive, begin, steps, kills, back, patience)
