# exercise: stop
# score:    0/7
# fails:    stop-waiting, stop-done, stop-several
# says:     taken are the first n elements
# why:      counts from 1 and takes one element too few
def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(1, n)]
        session.run("cancel")
        for name, future in running.items():
            error = future.exception()
            ended[name] = type(error).__name__ if error else "done"
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
