# exercise: stop
# score:    7/7
# why:      daemon threads; taken and rest as NumPy's numbers, drained by the size
import threading
def stop_cleanly(graph_bytes, producers, n):
    sess = v1.Session(graph=opened(graph_bytes))
    ended = {}
    def go(name):
        try:
            sess.run(name)
        except Exception as e:
            ended[name] = e.__class__.__name__
        else:
            ended[name] = "done"
    ts = [threading.Thread(target=go, args=[p], daemon=True) for p in producers]
    [t.start() for t in ts]
    taken = [sess.run("next:0") for _ in range(n)]
    sess.run("cancel")
    for t in ts: t.join()
    rest = []
    while sess.run("size:0"):
        rest.append(sess.run("next:0"))
    sess.close()
    return dict(taken=taken, rest=rest, ended=ended)
