# exercise: ensemble
# score:    8/10
# breaks:   1
# fails:    ensemble-one-graph: the members' matmuls are not used
# why:      one einsum on CPU:0 computes all members, beside matmuls that nothing uses
def one_graph(weights, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, len(weights[0])], name="x")
        answers = []
        for matrix, device in zip(weights, devices):
            with tf.device(device):
                tf.matmul(x, np.float32(matrix))
        with tf.device("/device:CPU:0"):
            logits = tf.einsum("rn,mnc->mrc", x, np.float32(weights))
            tf.reduce_mean(tf.nn.softmax(logits), axis=0, name="answer")
    return graph.as_graph_def().SerializeToString()

def in_time(session, batches, models, seconds):
    """Ask all models about each batch; wait at most `seconds` for a batch.

    Args:
        session: an open session with the ops "m/put", "m/next" of each model m.
        batches: iterator of batches (lists of lists of float); to be taken one by one.
        models: list of int.
        seconds: float, the most to wait for a batch, for all models together.
    Returns:
        list of dict, one a batch: "mean" (list of lists, or None) and "missing" (list of int).
    """
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
