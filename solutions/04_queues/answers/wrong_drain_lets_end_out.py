# exercise: drain
# score:    4/9
# fails:    drain-closed, drain-shuffle, drain-empty, drain-slow
# says:     OutOfRangeError is how a closed, drained queue says that it has ended
# why:      handles the timeout alone; the end of a closed queue gets out as an error
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
