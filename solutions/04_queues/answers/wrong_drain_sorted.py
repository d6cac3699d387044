# exercise: drain
# score:    2/7
# breaks:   6
# fails:    drain-closed: not in the order of the queue
# fails:    drain-timeout: not in the order of the queue
# fails:    drain-drawn: neutral
# why:      sorts the values

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.OutOfRangeError:
                return {"values": sorted(values), "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": sorted(values), "ended": "timeout"}
