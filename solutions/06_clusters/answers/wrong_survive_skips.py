# exercise: survive
# score:    2/8
# fails:    survive-kill: it ended before the count on the ps was 6
# fails:    survive-resume: neutral
# fails:    survive-thrice: neutral
# why:      a step that failed is counted as made
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last, tried = step_graph(), time.monotonic(), 0
    while True:
        try:
            session = v1.Session(target, graph=graph, config=config)
            tried = tried or session.run("count:0")
            while tried < steps:
                tried += 1
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
