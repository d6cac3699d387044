# exercise: survive
# score:    6/8
# breaks:   2
# fails:    survive-resume: too many steps: `steps` is the count to reach, not how many steps to make
# why:      makes `steps` steps more
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker."""
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last, wanted = step_graph(), time.monotonic(), None
    while True:
        try:
            session = v1.Session(target, graph=graph, config=config)
            count = session.run("count:0")
            wanted = count + steps if wanted is None else wanted
            while count < wanted:
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
