# exercise: ensemble
# score:    8/8
# why:      a thread for each model and step

kept = {}

def collect(session, model, now, end, found):
    while True:
        if kept.get(model) is None:
            left = max(1, round(1000 * (end - time.monotonic())))
            try:
                step, value = session.run((f"{model}/next:0", f"{model}/next:1"), options=within(left))
            except tf.errors.DeadlineExceededError:
                return
            kept[model] = (int(step), value)
        step, value = kept[model]
        if step > now:
            return
        kept[model] = None
        if step == now:
            found[model] = value
            return

def ensemble(graph_bytes, models, steps, timeout_ms):
    kept.clear()
    results = []
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
