# exercise: drain
# score:    8/9
# fails:    drain-time
# says:     longer than timeout_ms
# why:      waits three seconds for each element, whatever timeout_ms says
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(3000))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
