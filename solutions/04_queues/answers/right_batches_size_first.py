# exercise: batches
# score:    7/7
# why:      a single consumer may look at the size and then take all at once

def batches(graph_bytes, n, timeout_ms, plan):
    results, closed = [], False
    with v1.Session(graph=opened(graph_bytes)) as session:

        def batch():
            seen, end = -1, 0
            while True:
                size = int(session.run("size:0"))
                if size >= n or closed:
                    return session.run("many:0", {"n:0": min(n, size)}).tolist()
                if size > seen:                      # one more has come: its successor may take as long again
                    seen, end = size, time.monotonic() + timeout_ms / 1000
                if time.monotonic() > end:
                    return None
                time.sleep(0.01)

        for word in plan:
            if word == "batch":
                results.append(batch())
            else:
                session.run(word)
                closed = closed or word == "close"
    return results
