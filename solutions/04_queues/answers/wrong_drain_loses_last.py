# exercise: drain
# score:    2/9
# fails:    drain-closed, drain-timeout, drain-shuffle, drain-slow, drain-time
# says:     drain it to the end
# why:      looks one element ahead and drops the one it holds when the queue ends
def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        ended, held = None, None
        while ended is None:
            try:
                following = float(session.run("next:0", options=within(timeout_ms)))
                if held is not None:
                    values.append(held)
                held = following
            except tf.errors.OutOfRangeError:
                ended = "closed"
            except tf.errors.DeadlineExceededError:
                ended = "timeout"
        return {"values": values, "ended": ended}
