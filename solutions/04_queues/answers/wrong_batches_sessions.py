# exercise: batches
# score:    0/7
# breaks:   2
# fails:    batches-complete: in one session
# fails:    batches-kept: is lost
# fails:    batches-again: elements of the batches before
# fails:    batches-closed: neutral
# fails:    batches-time: gave up
# why:      a new session for each word of the plan

def batches(graph_bytes, n, timeout_ms, plan):
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            session = v1.Session(graph=opened(graph_bytes))
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
