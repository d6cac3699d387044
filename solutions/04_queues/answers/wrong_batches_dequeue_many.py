# exercise: batches
# score:    2/7
# fails:    batches-kept: is lost
# fails:    batches-again: are lost or out of order
# fails:    batches-closed: neutral
# why:      dequeue_many with a timeout: loses what it holds

def batches(graph_bytes, n, timeout_ms, plan):
    results = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            try:
                results.append(session.run("many:0", {"n:0": n}, options=within(timeout_ms)).tolist())
            except tf.errors.DeadlineExceededError:
                results.append(None)
            except tf.errors.OutOfRangeError:
                left = int(session.run("size:0"))
                results.append(session.run("many:0", {"n:0": left}).tolist())
    return results
