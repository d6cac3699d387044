# exercise: batches
# score:    1/7
# breaks:   5
# fails:    batches-kept: None while the queue is open
# fails:    batches-again: None while the queue is open
# fails:    batches-closed: neutral
# fails:    batches-time: neutral
# why:      returns the incomplete batch at a timeout

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
                pass
            except tf.errors.OutOfRangeError:
                pass
            results.append(held)
            held = []
    return results
