# exercise: batches
# score:    6/7
# breaks:   3
# fails:    batches-time: gave up, although each element came
# why:      one timeout for the whole batch

def batches(graph_bytes, n, timeout_ms, plan):
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            end = time.monotonic() + timeout_ms / 1000
            try:
                while len(held) < n:
                    held.append(float(session.run("next:0", options=within(max(1, int(1000 * (end - time.monotonic())))))))
            except tf.errors.DeadlineExceededError:
                results.append(None)
                continue
            except tf.errors.OutOfRangeError:
                pass
            results.append(held)
            held = []
    return results
