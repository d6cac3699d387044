# exercise: stop
# score:    0/7
# fails:    stop-waiting: lacks a producer
# fails:    stop-done: lacks a producer
# fails:    stop-several: an entry for each producer
# why:      does not look how the producers ended

def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        session.run("cancel")
        for name, future in running.items():
            if False:
                ended[name] = "done"
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
