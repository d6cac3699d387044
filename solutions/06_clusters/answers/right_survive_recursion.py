# exercise: survive
# score:    8/8
# why:      a new session by calling itself
def survive(target, steps, after_step, patience, since=None):
    since = since or [time.monotonic()]
    with tf.Graph().as_default():
        tf.import_graph_def(step_graph().as_graph_def(), name="")
        session = v1.Session(target, config=v1.ConfigProto(operation_timeout_in_ms=4000))
    try:
        missing = steps - session.run("count:0")
        for _ in range(missing):
            made = session.run("train:0")
            since[0] = time.monotonic()
            after_step(int(made))
    except tf.errors.OpError:
        if since[0] + patience < time.monotonic():
            raise TimeoutError("patience is over")
        time.sleep(0.1)
        survive(target, steps, after_step, patience, since)


def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
