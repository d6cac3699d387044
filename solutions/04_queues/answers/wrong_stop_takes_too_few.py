# exercise: stop
# score:    0/7
# breaks:   2
# fails:    stop-waiting: no more and no fewer
# fails:    stop-done: no more and no fewer
# fails:    stop-several: no more and no fewer
# why:      takes one element too few

def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n - 1)]
        session.run("cancel")
        for name, future in running.items():
            error = future.exception()
            ended[name] = type(error).__name__ if error else "done"
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
