# exercise: ensemble
# score:    1/8
# fails:    ensemble-missing: loses what it took
# fails:    ensemble-late: averaged into another step
# fails:    ensemble-ahead: averaged into step 0
# fails:    ensemble-together: is not in the mean
# fails:    ensemble-nobody: neutral
# why:      takes from all queues in one run: a missing model loses the others' predictions

def ensemble(graph_bytes, models, steps, timeout_ms):
    results = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for now in range(steps):
            session.run(f"arrive_{now}")
            try:
                values = session.run([f"{model}/next:1" for model in models], options=within(timeout_ms))
                results.append({"mean": np.mean(values, axis=0).tolist(), "missing": []})
            except tf.errors.DeadlineExceededError:
                results.append({"mean": None, "missing": list(models)})
    return results
