# exercise: survive
# score:    2/8
# breaks:   4
# fails:    survive-kill: it gave up within 40 s although the worker was back after half a second
# fails:    survive-resume: it ended with TimeoutError
# fails:    survive-thrice: it ended with TimeoutError after step 1
# why:      retries in the old session
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last, session = step_graph(), time.monotonic(), None
    patience = min(patience, 6)
    while True:
        try:
            session = session or v1.Session(target, graph=graph, config=config)
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
