# exercise: survive
# score:    3/10
# fails:    survive-kill, survive-resume, survive-twice
# says:     open a new one
# why:      retries in the old session
def survive(target, steps, after_step, patience):
    last = time.monotonic()
    with v1.Session(target, graph=step_graph(), config=v1.ConfigProto(operation_timeout_in_ms=2000)) as session:
        count = session.run("count:0")
        while count < steps:
            try:
                count = session.run("train:0")
                last = time.monotonic()
                after_step(count)
            except tf.errors.OpError:
                if time.monotonic() - last > min(patience, 5):
                    raise TimeoutError
                time.sleep(0.1)


def survived(begin, steps, kills, back=0.5, patience=40.):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return drill(survive, begin, steps, kills, back, patience)
