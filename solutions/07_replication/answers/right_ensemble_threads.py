# exercise: ensemble
# score:    10/10
# why:      a thread for each model
from concurrent.futures import ThreadPoolExecutor

def one_graph(weights, devices):
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder("float32", [None, len(weights[0])], "x")
        total = []
        for k in range(len(weights)):
            with tf.device(devices[k]):
                total.append(tf.nn.softmax(tf.matmul(x, tf.constant(weights[k], tf.float32))))
        with tf.device("/device:CPU:0"):
            tf.multiply(tf.add_n(total), 1 / len(total), name="answer")
    return graph.as_graph_def().SerializeToString()

def in_time(session, batches, models, seconds):
    def one(model, number, batch, deadline):
        left = lambda: v1.RunOptions(timeout_in_ms=max(200, int(1000 * (deadline - time.monotonic()))))
        try:
            session.run(f"{model}/put", {"number:0": number, "batch:0": batch}, v1.RunOptions(timeout_in_ms=200))
        except tf.errors.DeadlineExceededError:
            pass
        try:
            while True:
                of, answer = session.run([f"{model}/next:0", f"{model}/next:1"], None, left())
                if of == number:
                    return answer
        except tf.errors.DeadlineExceededError:
            return None

    results = []
    with ThreadPoolExecutor(8) as pool:
        for number, batch in enumerate(batches):
            deadline = time.monotonic() + seconds
            asked = {m: pool.submit(one, m, number, batch, deadline) for m in models}
            heard = {m: future.result() for m, future in asked.items()}
            there = [answer for answer in heard.values() if answer is not None]
            results.append({"mean": np.mean(there, axis=0).tolist() if there else None,
                            "missing": [m for m in models if heard[m] is None]})
    return results

def ensembled(seed, batches, kills, starts, seconds):
    """Given, for the checks: the drill with your function."""
    script = open("model.py").read()
    return ensemble_drill(in_time, script, client_graph(3), seed, batches, kills, starts, seconds)
