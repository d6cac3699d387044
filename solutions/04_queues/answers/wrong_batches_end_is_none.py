# exercise: batches
# score:    5/7
# fails:    batches-closed
# says:     None is for an open one
# why:      the last, short batch is None as well
def batches(graph_bytes, n, timeout_ms, plan):
    results, held = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            try:
                while len(held) < n:
                    held.append(float(session.run("next:0", options=within(timeout_ms))))
                results.append(held)
                held = []
            except (tf.errors.DeadlineExceededError, tf.errors.OutOfRangeError):
                results.append(None)
    return results
