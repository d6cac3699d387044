# exercise: batches
# score:    5/7
# breaks:   7
# fails:    batches-closed: short batch of a closed queue is lost
# why:      returns [] at the end and drops what it holds

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
                held = []
            results.append(held)
            held = []
    return results
