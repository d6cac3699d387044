# exercise: drain
# score:    6/7
# breaks:   7
# fails:    drain-fault: not the one that the run ended with
# why:      catches a real fault and raises another in its place, whose message helps nobody

def drain(graph_bytes, timeout_ms):
    options = v1.RunOptions(timeout_in_ms=timeout_ms)
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=options)))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
            except tf.errors.OpError:
                raise tf.errors.InvalidArgumentError(None, None, "the queue is broken")
