# exercise: drain
# score:    6/7
# fails:    drain-drawn: first next may already be the end
# why:      takes the first element outside of the try

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        values.append(float(session.run("next:0", options=within(timeout_ms))))
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
