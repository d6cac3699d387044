# exercise: batches
# score:    2/7
# fails:    batches-kept, batches-again, batches-closed
# says:     the pair 1, 2 is lost
# why:      takes one by one, but begins each batch anew
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
                results.append(batch)
            except tf.errors.DeadlineExceededError:
                results.append(None)
            except tf.errors.OutOfRangeError:
                results.append(batch)
    return results
