# exercise: survive
# score:    1/8
# breaks:   4
# fails:    survive-kill: ended the training
# fails:    survive-resume: it ended with
# fails:    survive-thrice: it ended with
# fails:    survive-patience: it ended with
# why:      no error is caught that a dead worker causes
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last = step_graph(), time.monotonic()
    while True:
        try:
            session = v1.Session(target, graph=graph, config=config)
            count = session.run("count:0")
            while count < steps:
                count = session.run("train:0")
                last = time.monotonic()
                after_step(count)
            return
        except tf.errors.AlreadyExistsError:
            if time.monotonic() - last > patience:
                raise TimeoutError(f"no step for {patience} s") from None
            time.sleep(0.1)

def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
