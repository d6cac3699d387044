# exercise: ensemble
# score:    8/8
# why:      one call for each model stays open over the steps; a step waits for whichever is first

from concurrent.futures import FIRST_COMPLETED, wait

def ensemble(graph_bytes, models, steps, timeout_ms):
    session = v1.Session(graph=opened(graph_bytes))

    def call(model):
        return in_background(session.run, [f"{model}/next:0", f"{model}/next:1"])

    calls, results = {}, []
    for now in range(steps):
        session.run(f"arrive_{now}")
        end = time.monotonic() + timeout_ms / 1000
        found, open_models = {}, set(models)
        while open_models:
            for model in list(open_models):
                if model not in calls:
                    calls[model] = call(model)
                future = calls[model]
                if not future.done():
                    continue
                number, prediction = future.result()
                if number > now:
                    open_models.remove(model)
                    continue
                del calls[model]
                if number == now:
                    found[model] = prediction
                    open_models.remove(model)
            waiting = [calls[model] for model in open_models if model in calls]
            left = end - time.monotonic()
            if left <= 0:
                break
            if open_models and len(waiting) == len(open_models):
                wait(waiting, timeout=left, return_when=FIRST_COMPLETED)
        predictions = [found[model] for model in models if model in found]
        mean = [float(number) for number in np.mean(predictions, axis=0)] if predictions else None
        results.append({"mean": mean, "missing": [model for model in models if model not in found]})
    session.close()                                  # breaks off the calls that still wait
    return results
