# exercise: ensemble
# score:    7/8
# breaks:   3
# fails:    ensemble-waits: although all have answered
# why:      waits until the time is over, also when all have answered

def ensemble(graph_bytes, models, steps, timeout_ms):
    ahead, results = {}, []
    with v1.Session(graph=opened(graph_bytes)) as session:

        def ask(model, now, deadline):
            while True:
                if model not in ahead:
                    left = max(1, int(1000 * (deadline - time.monotonic())))
                    pair = [f"{model}/next:0", f"{model}/next:1"]
                    try:
                        ahead[model] = session.run(pair, options=within(left))
                    except tf.errors.DeadlineExceededError:
                        return None
                if ahead[model][0] > now:
                    return None
                number, prediction = ahead.pop(model)
                if number == now:
                    return prediction

        for now in range(steps):
            session.run(f"arrive_{now}")
            deadline = time.monotonic() + timeout_ms / 1000
            asked = {model: in_background(ask, model, now, deadline) for model in models}
            found = {model: future.result() for model, future in asked.items()}
            time.sleep(max(0, deadline - time.monotonic()))
            there = [prediction for prediction in found.values() if prediction is not None]
            results.append({"mean": np.mean(there, axis=0).tolist() if there else None,
                            "missing": [model for model in models if found[model] is None]})
    return results
