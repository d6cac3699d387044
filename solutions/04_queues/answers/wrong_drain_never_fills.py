# exercise: drain
# score:    0/7
# breaks:   1
# fails:    drain-closed: fill has to run
# fails:    drain-timeout: what came before the timeout is missing
# fails:    drain-each: or fill did not run
# fails:    drain-fault: neutral
# fails:    drain-drawn: neutral
# why:      forgets to run fill, so the queue is open and empty

def drain(graph_bytes, timeout_ms):
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        while True:
            try:
                values.append(float(session.run("next:0", options=within(min(timeout_ms, 300)))))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
