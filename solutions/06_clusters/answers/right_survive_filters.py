# exercise: survive
# score:    8/8
# why:      a function for each session, deadline moved on
def survive(target, steps, after_step, patience):
    graph = step_graph()
    only = ["/job:ps", "/job:worker/task:0"]
    options = v1.ConfigProto(operation_timeout_in_ms=3000, device_filters=only)
    deadline = time.monotonic() + patience

    def part():
        nonlocal deadline
        session = v1.Session(target, graph=graph, config=options)
        while int(session.run("count:0")) != steps:
            after_step(int(session.run("train:0")))
            deadline = time.monotonic() + patience

    while time.monotonic() < deadline:
        try:
            return part()
        except (tf.errors.UnavailableError, tf.errors.AbortedError, tf.errors.DeadlineExceededError,
                tf.errors.CancelledError, tf.errors.InternalError, tf.errors.UnknownError, tf.errors.NotFoundError):
            time.sleep(0.05)
    raise TimeoutError


def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
