# exercise: drain
# score:    6/7
# breaks:   3
# fails:    drain-each: for all elements together
# why:      one timeout for all elements together

def drain(graph_bytes, timeout_ms):
    values = []
    end = time.monotonic() + timeout_ms / 1000
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=within(max(1, int(1000 * (end - time.monotonic())))))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
