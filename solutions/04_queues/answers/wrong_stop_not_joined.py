# exercise: stop
# score:    0/7
# fails:    stop-waiting, stop-done, stop-several
# says:     ended lacks a producer
# why:      does not wait for the producers: nobody knows how they ended
def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        session.run("cancel")
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
