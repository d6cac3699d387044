# exercise: ensemble
# score:    8/8
# why:      asks for sizes until the time is over, and takes only what is there

def ensemble(graph_bytes, models, steps, timeout_ms):
    results, kept = [], {model: [] for model in models}
    sizes = {model: f"{model}/size:0" for model in models}
    pairs = {model: [f"{model}/next:0", f"{model}/next:1"] for model in models}
    with v1.Session(graph=opened(graph_bytes)) as session:
        for now in range(steps):
            session.run(f"arrive_{now}")
            end, found = time.monotonic() + timeout_ms / 1000, {}
            while len(found) < len(models):
                for model, size in session.run(sizes).items():
                    kept[model] += [session.run(pairs[model]) for _ in range(size)]
                    kept[model] = [(step, value) for step, value in kept[model] if step >= now]
                    if kept[model] and kept[model][0][0] == now:
                        found[model] = kept[model].pop(0)[1].tolist()
                if time.monotonic() > end:
                    break
                time.sleep(0.02)
            mean = [sum(pair) / len(found) for pair in zip(*found.values())] or None
            results.append({"mean": mean, "missing": [model for model in models if model not in found]})
    return results
