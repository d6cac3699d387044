# exercise: stop
# score:    0/7
# breaks:   4
# fails:    stop-waiting: is lost
# fails:    stop-done: is lost
# fails:    stop-several: is lost
# why:      stops well, but leaves what was in the queue

def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        session.run("cancel")
        for name, future in running.items():
            error = future.exception()
            ended[name] = type(error).__name__ if error else "done"
        try:
            while True:
                session.run("next:0")
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
