# exercise: drain
# score:    3/7
# breaks:   4
# fails:    drain-closed: is taken for a timeout
# fails:    drain-each: neutral
# fails:    drain-drawn: neutral
# why:      takes the end of a closed queue for a timeout

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "timeout"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
