# exercise: batches
# score:    7/7
# why:      a single consumer may look at the size and then take all at once
def batches(graph_bytes, n, timeout_ms, plan):
    results = []
    with v1.Session(graph=opened(graph_bytes)) as session:

        def batch():
            end = time.monotonic() + timeout_ms / 1000
            while True:
                if session.run("size:0") >= n:
                    return session.run("many:0", {"n:0": n}).tolist()
                if closed:
                    return session.run("many:0", {"n:0": session.run("size:0")}).tolist()
                if time.monotonic() > end:
                    return None
                time.sleep(0.02)

        closed = False
        for word in plan:
            if word == "batch":
                results.append(batch())
            else:
                session.run(word)
                closed = closed or word == "close"
    return results
