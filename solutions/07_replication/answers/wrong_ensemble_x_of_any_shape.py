# exercise: ensemble
# score:    8/10
# breaks:   14
# fails:    ensemble-one-graph: the placeholder has the shape [None, n]
# why:      a placeholder without a shape
def one_graph(weights, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, name="x")
        answers = []
        for matrix, device in zip(weights, devices):
            with tf.device(device):
                answers.append(tf.nn.softmax(tf.matmul(x, np.float32(matrix))))
        with tf.device("/device:CPU:0"):
            tf.reduce_mean(tf.stack(answers), axis=0, name="answer")
    return graph.as_graph_def().SerializeToString()

def in_time(session, batches, models, seconds):
    results = []
    for number, batch in enumerate(batches):
        deadline, found = time.monotonic() + seconds, {}
        for model in models:
            feed = {"number:0": number, "batch:0": batch}
            try:
                session.run(f"{model}/put", feed, v1.RunOptions(timeout_in_ms=100))
            except tf.errors.DeadlineExceededError:
                pass  # its queue is full
        while len(found) < len(models) and time.monotonic() < deadline:
            for model in [m for m in models if m not in found]:
                try:
                    fetches = [f"{model}/next:0", f"{model}/next:1"]
                    of, answer = session.run(fetches, None, v1.RunOptions(timeout_in_ms=200))
                    if of == number:
                        found[model] = answer
                except tf.errors.DeadlineExceededError:
                    pass
        mean = np.mean(list(found.values()), axis=0).tolist() if found else None
        results.append({"mean": mean, "missing": [model for model in models if model not in found]})
    return results

def ensembled(seed, batches, kills, starts, seconds):
    """Given, for the checks: the drill with your function."""
    script = open("model.py").read()
    return ensemble_drill(in_time, script, client_graph(3), seed, batches, kills, starts, seconds)
