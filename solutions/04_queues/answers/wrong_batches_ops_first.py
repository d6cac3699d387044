# exercise: batches
# score:    2/7
# breaks:   1
# fails:    batches-kept: None while the queue is open
# fails:    batches-again: None while the queue is open
# fails:    batches-closed: neutral
# why:      runs the ops first, and then all batches

def batches(graph_bytes, n, timeout_ms, plan):
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in sorted(plan, key=lambda word: word == "batch"):
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
            results.append(held)
            held = []
    return results
