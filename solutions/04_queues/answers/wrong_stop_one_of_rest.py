# exercise: stop
# score:    0/7
# fails:    stop-waiting, stop-done, stop-several
# says:     all elements that were in the queue
# why:      takes one element of the rest, not all
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
            rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            pass
        return {"taken": taken, "rest": rest, "ended": ended}
