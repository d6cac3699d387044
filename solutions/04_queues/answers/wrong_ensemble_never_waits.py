# exercise: ensemble
# score:    7/8
# fails:    ensemble-waits
# says:     took only what was there at once
# why:      takes while the size says that something is there, and waits for nobody
def ensemble(graph_bytes, models, steps, timeout_ms):
    results, kept = [], {model: [] for model in models}
    with v1.Session(graph=opened(graph_bytes)) as session:
        for now in range(steps):
            session.run(f"arrive_{now}")
            found = {}
            for model in models:
                while session.run(f"{model}/size:0") > 0:
                    kept[model].append(session.run([f"{model}/next:0", f"{model}/next:1"]))
                for number, value in kept[model]:
                    if number == now:
                        found[model] = value
            there = list(found.values())
            results.append({"mean": np.mean(there, axis=0).tolist() if there else None,
                            "missing": [model for model in models if model not in found]})
    return results
