# exercise: batches
# score:    1/7
# fails:    batches-kept, batches-again, batches-closed, batches-time
# says:     a batch that is not complete is None
# why:      returns the incomplete batch at a timeout
def batches(graph_bytes, n, timeout_ms, plan):
    results = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            batch = []
            try:
                while len(batch) < n:
                    batch.append(float(session.run("next:0", options=within(timeout_ms))))
            except (tf.errors.DeadlineExceededError, tf.errors.OutOfRangeError):
                pass
            results.append(batch)
    return results
