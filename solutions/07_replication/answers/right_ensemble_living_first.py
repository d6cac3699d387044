# exercise: ensemble
# score:    10/10
# why:      a queue of models to ask, the deadline for all
def one_graph(weights, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, len(weights[0])], name="x")
        answers = []
        for matrix, device in zip(weights, devices):
            with tf.device(device):
                answers.append(tf.nn.softmax(x @ np.float32(matrix)))
        with tf.device("/device:CPU:0"):
            tf.identity(sum(answers[1:], answers[0]) / len(answers), name="answer")
    return graph.as_graph_def().SerializeToString()

def in_time(session, batches, models, seconds):
    results, number = [], -1
    for batch in batches:
        number, begin, heard = number + 1, time.monotonic(), {}
        for model in models:
            try:
                session.run(f"{model}/put", {"number:0": number, "batch:0": batch}, v1.RunOptions(timeout_in_ms=80))
            except tf.errors.OpError:
                continue
        waiting = list(models)
        while waiting and time.monotonic() - begin < seconds:
            model = waiting.pop(0)
            try:
                of, answer = session.run((f"{model}/next:0", f"{model}/next:1"), options=v1.RunOptions(timeout_in_ms=200))
            except tf.errors.DeadlineExceededError:
                of = None
            if of == number:
                heard[model] = answer
            else:
                waiting.append(model)
        total = sum(heard.values()) if heard else None
        results.append({"mean": (total / len(heard)).tolist() if heard else None,
                        "missing": [m for m in models if m not in heard]})
    return results

def ensembled(seed, batches, kills, starts, seconds):
    """Given, for the checks: the drill with your function."""
    script = open("model.py").read()
    return ensemble_drill(in_time, script, client_graph(3), seed, batches, kills, starts, seconds)
