# exercise: drain
# score:    4/7
# breaks:   5
# fails:    drain-timeout: taken for the end of the data
# fails:    drain-drawn: neutral
# why:      takes a timeout for the end of the data

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "closed"}
