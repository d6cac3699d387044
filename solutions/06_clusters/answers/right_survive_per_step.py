# exercise: survive
# score:    8/8
# why:      asks for the count before each step
def survive(target, steps, after_step, patience):
    graph, session, waited = step_graph(), None, time.monotonic()
    options = v1.ConfigProto(operation_timeout_in_ms=3500)
    while True:
        try:
            session = session or v1.Session(target, graph=graph, config=options)
            if session.run("count:0") >= steps:
                return
            done = int(session.run("train:0"))
        except tf.errors.OpError:
            session = None
            if time.monotonic() > waited + patience:
                raise TimeoutError("the worker does not come back")
            continue
        waited = time.monotonic()
        after_step(done)


def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
