# exercise: drain
# score:    5/7
# fails:    drain-timeout: longer than timeout_ms
# why:      waits two and a half seconds for each element

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(2500))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
