# exercise: ensemble
# score:    8/8
# why:      one thread for each model, which fills a dict
import threading, time

def ensemble(graph_bytes, models, steps, timeout_ms):
    early, results = {}, []

    def collect(session, model, now, end, found):
        while True:
            if model in early:
                step, value = early[model]
            else:
                milliseconds = max(10, round(1000 * (end - time.monotonic())))
                try:
                    step, value = session.run((f"{model}/next:0", f"{model}/next:1"), options=within(milliseconds))
                except tf.errors.DeadlineExceededError:
                    return
            if step > now:
                early[model] = step, value
                return
            early.pop(model, None)
            if step == now:
                found[model] = value
                return

    with v1.Session(graph=opened(graph_bytes)) as session:
        for now in range(steps):
            session.run(f"arrive_{now}")
            found, end = {}, time.monotonic() + timeout_ms / 1000
            threads = [threading.Thread(target=collect, args=(session, model, now, end, found)) for model in models]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            mean = np.stack(list(found.values())).mean(axis=0).tolist() if found else None
            results.append({"mean": mean, "missing": [model for model in models if model not in found]})
    return results
