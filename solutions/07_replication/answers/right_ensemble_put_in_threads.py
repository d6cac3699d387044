# exercise: ensemble
# score:    10/10
# why:      put waits in threads of its own
import threading

def one_graph(weights, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, shape=(None, len(weights[0])), name="x")
        outs = []
        for where, values in zip(devices, weights):
            with tf.device(where):
                outs.append(tf.nn.softmax(tf.linalg.matmul(x, tf.convert_to_tensor(np.array(values, "float32"))), axis=-1))
        with tf.device("CPU:0"):
            tf.reduce_mean(outs, 0, name="answer")
    return graph.as_graph_def().SerializeToString()

def in_time(session, batches, models, seconds):
    def put(model, feed):
        try:
            session.run(f"{model}/put", feed, v1.RunOptions(timeout_in_ms=150))
        except tf.errors.DeadlineExceededError:
            pass

    results = []
    for number, batch in enumerate(batches):
        start, found = time.monotonic(), {}
        putting = [threading.Thread(target=put, args=(m, {"number:0": number, "batch:0": batch})) for m in models]
        for thread in putting:
            thread.start()
        for thread in putting:
            thread.join()
        while time.monotonic() - start < seconds:
            open_ones = [m for m in models if m not in found]
            if not open_ones:
                break
            for m in open_ones:
                try:
                    of, value = session.run([f"{m}/next:0", f"{m}/next:1"], None, v1.RunOptions(timeout_in_ms=220))
                except tf.errors.DeadlineExceededError:
                    continue
                if int(of) == number:
                    found[m] = value
        missing = [m for m in models if m not in found]
        mean = np.stack([found[m] for m in models if m in found]).mean(0).tolist() if found else None
        results.append(dict(mean=mean, missing=missing))
    return results

def ensembled(seed, batches, kills, starts, seconds):
    """Given, for the checks: the drill with your function."""
    script = open("model.py").read()
    return ensemble_drill(in_time, script, client_graph(3), seed, batches, kills, starts, seconds)
