# exercise: batches
# score:    2/7
# breaks:   6
# fails:    batches-kept: is lost
# fails:    batches-again: are lost or out of order
# fails:    batches-closed: neutral
# why:      takes one by one, but begins each batch anew

def batches(graph_bytes, n, timeout_ms, plan):
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            held = []
            try:
                while len(held) < n:
                    held.append(float(session.run("next:0", options=within(timeout_ms))))
            except tf.errors.DeadlineExceededError:
                results.append(None)
                continue
            except tf.errors.OutOfRangeError:
                pass
            results.append(held)
            held = []
    return results
