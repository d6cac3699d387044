# exercise: drain
# score:    8/9
# fails:    drain-slow
# says:     gave up before timeout_ms
# why:      waits 50 ms for each element, whatever timeout_ms says
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(50))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
