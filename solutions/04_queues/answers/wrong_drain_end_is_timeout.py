# exercise: drain
# score:    4/9
# fails:    drain-closed, drain-shuffle, drain-empty, drain-slow
# says:     a closed queue is taken for one that is slow
# why:      takes the end of a closed queue for a timeout
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except (tf.errors.OutOfRangeError, tf.errors.DeadlineExceededError):
                return {"values": values, "ended": "timeout"}
