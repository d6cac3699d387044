# exercise: stop
# score:    2/7
# breaks:   6
# fails:    stop-waiting: ended with an error
# fails:    stop-several: done only if
# why:      takes for granted that every producer came to its end

def stop_cleanly(graph_bytes, producers, n):
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        session.run("cancel")
        for name, future in running.items():
            error = future.exception()
            ended[name] = "done"
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
