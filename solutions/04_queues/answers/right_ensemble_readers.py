# exercise: ensemble
# score:    8/8
# why:      a reader thread for each model carries everything into one queue of Python; the client sorts it by step

import collections
import queue

def ensemble(graph_bytes, models, steps, timeout_ms):
    came, results = queue.SimpleQueue(), []
    by_step = collections.defaultdict(dict)
    with v1.Session(graph=opened(graph_bytes)) as session:
        furthest = dict.fromkeys(models, -1)

        def read(model):
            try:
                while True:
                    number, prediction = session.run([f"{model}/next:0", f"{model}/next:1"])
                    came.put((model, int(number), prediction))
            except tf.errors.CancelledError:
                pass                                 # the session was closed

        for model in models:
            threading.Thread(target=read, args=(model,), daemon=True).start()
        for now in range(steps):
            session.run(f"arrive_{now}")
            end = time.monotonic() + timeout_ms / 1000
            while any(furthest[model] < now for model in models):
                try:
                    model, number, prediction = came.get(timeout=max(0.001, end - time.monotonic()))
                except queue.Empty:
                    break
                by_step[number][model] = prediction
                furthest[model] = number
            there = by_step[now]
            results.append({
                "mean": np.array([*there.values()]).mean(0).tolist() if there else None,
                "missing": [model for model in models if model not in there],
            })
    return results
