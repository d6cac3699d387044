# exercise: drain
# score:    0/9
# fails:    drain-closed, drain-timeout, drain-fault, drain-shuffle, drain-empty, drain-slow, drain-time
# says:     run the op fill once
# why:      forgets to run fill, so the queue is open and empty
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        while True:
            try:
                values.append(float(session.run("next:0", options=within(min(timeout_ms, 500)))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
