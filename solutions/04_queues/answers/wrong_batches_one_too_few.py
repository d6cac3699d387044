# exercise: batches
# score:    0/7
# breaks:   4
# fails:    batches-complete: neutral
# fails:    batches-kept: not the first of the next one
# fails:    batches-again: are lost or out of order
# fails:    batches-closed: neutral
# fails:    batches-time: neutral
# why:      leaves the first element of each complete batch out

def batches(graph_bytes, n, timeout_ms, plan):
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            try:
                while len(held) < n:
                    held.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.DeadlineExceededError:
                results.append(None)
                continue
            except tf.errors.OutOfRangeError:
                pass
            results.append(held[1:] if len(held) == n else held)
            held = []
    return results
