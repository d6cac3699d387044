# exercise: stop
# score:    2/7
# fails:    stop-waiting, stop-several
# says:     p went on while you were draining
# why:      a plain close (here in a thread, so that it does not hang) lets the producers finish while it drains
def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        in_background(session.run, "close")
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            pass
        for name, future in running.items():
            error = future.exception()
            ended[name] = type(error).__name__ if error else "done"
        return {"taken": taken, "rest": rest, "ended": ended}
