# exercise: drain
# score:    1/7
# breaks:   2
# fails:    drain-closed: are missing
# fails:    drain-timeout: neutral
# fails:    drain-each: neutral
# fails:    drain-drawn: neutral
# why:      looks one element ahead and drops the one it holds when the queue ends

def drain(graph_bytes, timeout_ms):
    values, held = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                following = float(session.run("next:0", options=within(timeout_ms)))
                values += held
                held = [following]
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
