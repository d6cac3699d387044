# exercise: batches
# score:    6/7
# fails:    batches-again
# says:     not only over one
# why:      keeps elements over one timeout only: the second one overwrites them
def batches(graph_bytes, n, timeout_ms, plan):
    results, kept = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            batch, again = kept, kept
            kept = []
            try:
                new = []
                while len(batch) + len(new) < n:
                    new.append(float(session.run("next:0", options=within(timeout_ms))))
                results.append(batch + new)
            except tf.errors.DeadlineExceededError:
                results.append(None)
                kept = new
            except tf.errors.OutOfRangeError:
                results.append(batch + new)
    return results
