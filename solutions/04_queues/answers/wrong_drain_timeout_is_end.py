# exercise: drain
# score:    5/9
# fails:    drain-timeout, drain-shuffle, drain-empty
# says:     a timeout is taken for the end of the data
# why:      takes a timeout for the end of the data
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except (tf.errors.OutOfRangeError, tf.errors.DeadlineExceededError):
                return {"values": values, "ended": "closed"}
