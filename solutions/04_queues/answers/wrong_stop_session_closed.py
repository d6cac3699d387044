# exercise: stop
# score:    0/7
# fails:    stop-waiting, stop-done, stop-several
# says:     what was in the queue is lost
# why:      closes the session: that frees the producers, but the queue is gone
def stop_cleanly(graph_bytes, producers, n):
    ended = {}
    session = v1.Session(graph=opened(graph_bytes))
    running = {name: in_background(session.run, name) for name in producers}
    taken = [float(session.run("next:0")) for _ in range(n)]
    session.close()
    for name, future in running.items():
        error = future.exception()
        ended[name] = type(error).__name__ if error else "done"
    return {"taken": taken, "rest": [], "ended": ended}
