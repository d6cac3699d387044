#@title Ensemble drill (run this; open it to see how it works)
# Starts the models of section 4 anew, hands out batches, kills models and starts them again, for exercise 3.
import time
import tensorflow as tf
from solutions._shared.cluster_processes import ClusterError
from solutions._shared.lesson import MODEL, ask, client_graph, queues, v1
from solutions._shared.local_cluster import LocalCluster

def wait_for(question, seconds=20):
    """Wait until question() is true."""
    deadline = time.monotonic() + seconds
    while not question():
        if time.monotonic() > deadline:
            raise ClusterError(f"waited {seconds} s in vain")
        time.sleep(0.02)

def wait_for_first_answer(session, model, batch, seconds=20):
    """Wait for a model that is back. A call that timed out may have taken its batch, or its answer, along: then it gets one again."""
    begin = given = time.monotonic()
    while session.run(f"{model}/answered:0") == 0:
        now = time.monotonic()
        if now > begin + seconds:
            raise ClusterError(f"model {model} is back, but did not answer in {seconds} s")
        if now > given + 1 and session.run(f"{model}/waiting:0") == 0:
            session.run(f"{model}/put", {"number:0": -1, "batch:0": batch})
            given = now
        time.sleep(0.02)

def hand_out(cluster, session, batches, kills, starts):
    """The batches, one by one; before batch k it kills the models kills[k], starts starts[k], and waits for their first answer."""
    for k, batch in enumerate(batches):
        cluster.kill(*(f"model/{model}" for model in kills.get(k, [])))
        cluster.start(*(f"model/{model}" for model in starts.get(k, [])))
        for model in starts.get(k, []):
            wait_for_first_answer(session, model, batches[k - 1])
        yield batch

def ensemble_drill(answer, seed, batches, kills, starts, seconds):
    """Call answer(session, batches, models, seconds) on three fresh models; its result, or the error's name."""
    with LocalCluster({"queues": 1, "model": 3}, script=MODEL, flags=[f"--seed={seed}"], name="drill") as fresh:
        graph = client_graph(3)
        with graph.as_default():
            for model in range(3):
                [queue.size(name=f"{model}/{of}") for queue, of in zip(queues(model), ("waiting", "answered"))]
        opened = lambda ms: v1.Session(fresh.target("queues/0"), graph=graph, config=v1.ConfigProto(
            operation_timeout_in_ms=ms, device_filters=["/job:queues"]))
        with opened(20_000) as session:
            ask(session, -1, batches[0], range(3), 20)  # now all are awake
        with opened(3000) as session:
            try:
                return answer(session, hand_out(fresh, session, batches, kills, starts), [0, 1, 2], seconds)
            except tf.errors.OpError as error:
                return type(error).__name__
