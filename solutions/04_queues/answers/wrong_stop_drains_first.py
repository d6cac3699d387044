# exercise: stop
# score:    2/7
# breaks:   3
# fails:    stop-waiting: went on while the rest was taken
# fails:    stop-several: went on while the rest was taken
# why:      drains while the producers go on, and stops them afterwards

def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        try:
            while True:
                rest.append(float(session.run("next:0", options=within(300))))
        except tf.errors.DeadlineExceededError:
            session.run("cancel")
        for name, future in running.items():
            error = future.exception()
            ended[name] = type(error).__name__ if error else "done"
        return {"taken": taken, "rest": rest, "ended": ended}
