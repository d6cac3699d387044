# exercise: drain
# score:    6/7
# breaks:   7
# fails:    drain-fault: reported as a normal end
# why:      takes every error for the end

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(timeout_ms))))
            except (tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError):
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
