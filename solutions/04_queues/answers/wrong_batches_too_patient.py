# exercise: batches
# score:    6/7
# fails:    batches-time: longer than timeout_ms
# why:      waits two and a half seconds for each element

def batches(graph_bytes, n, timeout_ms, plan):
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            try:
                while len(held) < n:
                    held.append(float(session.run("next:0", options=within(2500))))
            except tf.errors.DeadlineExceededError:
                results.append(None)
                continue
            except tf.errors.OutOfRangeError:
                pass
            results.append(held)
            held = []
    return results
