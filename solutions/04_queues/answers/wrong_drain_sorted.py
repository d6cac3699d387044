# exercise: drain
# score:    7/9
# fails:    drain-closed
# says:     each once, in its order
# why:      sorts the values, as if their order did not matter
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except (tf.errors.OutOfRangeError, tf.errors.DeadlineExceededError) as error:
                late = isinstance(error, tf.errors.DeadlineExceededError)
                return {"values": sorted(values), "ended": "timeout" if late else "closed"}
