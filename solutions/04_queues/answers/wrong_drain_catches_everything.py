# exercise: drain
# score:    8/9
# fails:    drain-fault
# says:     every error is caught
# why:      takes every error that is no timeout for the end
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
            except Exception:
                return {"values": values, "ended": "closed"}
