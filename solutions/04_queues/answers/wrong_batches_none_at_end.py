# exercise: batches
# score:    5/7
# breaks:   8
# fails:    batches-closed: the batch is an empty list
# why:      None where nothing is left

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
            results.append(held or None)
            held = []
    return results
