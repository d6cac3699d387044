# exercise: batches
# score:    5/7
# fails:    batches-closed
# says:     OutOfRangeError is the end of the data
# why:      OutOfRangeError ends the whole function
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
            except tf.errors.DeadlineExceededError:
                results.append(None)
    return results
