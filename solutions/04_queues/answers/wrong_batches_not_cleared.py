# exercise: batches
# score:    3/7
# fails:    batches-complete, batches-again, batches-closed
# says:     each batch has the next n elements
# why:      does not empty what it holds after a complete batch
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
                results.append(held[:n])
            except tf.errors.DeadlineExceededError:
                results.append(None)
            except tf.errors.OutOfRangeError:
                results.append(held)
    return results
