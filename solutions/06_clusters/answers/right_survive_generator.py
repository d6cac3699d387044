# exercise: survive
# score:    8/8
# why:      a generator of counts that opens sessions
def counts(target, steps, patience):
    config = v1.ConfigProto(operation_timeout_in_ms=5000)
    graph = step_graph()
    done, since, session = None, time.time(), None
    while done is None or done < steps:
        try:
            if session is None:
                session = v1.Session(target, graph=graph, config=config)
                done = int(session.run("count:0"))
                continue
            done = int(session.run("train:0"))
        except tf.errors.OpError as error:
            session, done = None, None
            if time.time() - since > patience:
                raise TimeoutError(str(error)[:80]) from error
            time.sleep(0.2)
        else:
            yield done
            since = time.time()


def survive(target, steps, after_step, patience):
    for count in counts(target, steps, patience):
        after_step(count)


def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)
