# exercise: drain
# score:    4/9
# fails:    drain-timeout, drain-shuffle, drain-empty, drain-time
# says:     a timeout is one of the two ends
# why:      knows the end, but not that a timeout is an end too
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
