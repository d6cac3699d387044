# exercise: stop
# score:    2/7
# fails:    stop-waiting, stop-several
# says:     by draining before you stopped it
# why:      takes as many as the size says, and stops afterwards: what filled the places meanwhile is lost
def stop_cleanly(graph_bytes, producers, n):
    ended = {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        time.sleep(0.5)
        rest = [float(session.run("next:0")) for _ in range(session.run("size:0"))]
        session.run("cancel")
        for name, future in running.items():
            error = future.exception()
            ended[name] = type(error).__name__ if error else "done"
    return {"taken": taken, "rest": rest, "ended": ended}
