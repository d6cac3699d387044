# @title Ensemble drill (run this; open it to see how it works)
# Starts the models of section 5 anew, hands out batches, kills models and starts them again, for exercise 4.
import time

import tensorflow as tf
from solutions._shared.cluster_processes import ClusterError
from solutions._shared.local_cluster import LocalCluster

MODELS = [0, 1, 2]


def wait_for(question, seconds=20):
    """Wait until question() is true."""
    deadline = time.monotonic() + seconds
    while not question():
        if time.monotonic() > deadline:
            raise ClusterError(f"waited {seconds} s in vain")
        time.sleep(0.02)


def with_sizes(graph):
    """Add to a client's graph how many elements wait in each queue: "m/waiting:0" and "m/answered:0"."""
    kinds = [tf.int32, tf.float32]
    with graph.as_default(), tf.device("/job:queues/task:0"):
        for model in MODELS:
            for queue, name in (("in", "waiting"), ("out", "answered")):
                same = tf.compat.v1.FIFOQueue(2, kinds, shared_name=f"{queue}{model}")
                same.size(name=f"{model}/{name}")
    return graph


def wait_for_first_answer(session, model, batch, seconds=20):
    """Wait for a model that is back.

    A call that timed out may have taken its batch, or its answer, along: then it gets one again.
    """
    begin = given = time.monotonic()
    while session.run(f"{model}/answered:0") == 0:
        now = time.monotonic()
        if now > begin + seconds:
            raise ClusterError(f"model {model} is back, but did not answer in {seconds} s")
        if now > given + 1 and session.run(f"{model}/waiting:0") == 0:
            session.run(f"{model}/put", {"number:0": -1, "batch:0": batch})
            given = now
        time.sleep(0.02)


def hand_out(cluster, session, batches, kills, starts, seconds):
    """The batches, one by one; `seconds` gets how long each was worked on.

    Before batch k it kills the models kills[k], starts starts[k], and waits for their first answer.
    """
    for k, batch in enumerate(batches):
        cluster.kill(*(f"model/{model}" for model in kills.get(k, [])))
        cluster.start(*(f"model/{model}" for model in starts.get(k, [])))
        for model in starts.get(k, []):
            wait_for_first_answer(session, model, batches[k - 1])
        begin = time.monotonic()
        yield batch
        seconds.append(time.monotonic() - begin)


def wake(session, batch):
    """One batch through every model: the first takes longest."""
    for model in MODELS:
        session.run(f"{model}/put", {"number:0": -1, "batch:0": batch})
    for model in MODELS:
        session.run(f"{model}/next:0")


def ensemble_drill(answer, script, graph, seed, batches, kills, starts, seconds):
    """Call answer(session, batches, models, seconds) on three fresh models.

    Args:
        answer: the function.
        script: text of a model's program.
        graph: a client's graph.
        seed: of the models' weights; also says which model comes first in the list that the function gets.
        batches, kills, starts: as for hand_out.
        seconds: given to the function.
    Returns:
        dict: "answers", what the function returned, or the name of the error of TensorFlow that it raised; "seconds",
        how long it worked on each batch.
    """
    worked = []
    with LocalCluster(
        {"queues": 1, "model": 3}, script=script, env={"SEED": str(seed)}, name="drill"
    ) as fresh:
        graph = with_sizes(graph)

        def opened(milliseconds):
            filters = {"operation_timeout_in_ms": milliseconds, "device_filters": ["/job:queues"]}
            config = tf.compat.v1.ConfigProto(**filters)
            return tf.compat.v1.Session(fresh.target("queues/0"), graph=graph, config=config)

        with opened(20_000) as session:
            wake(session, batches[0])
        with opened(3000) as session:
            handed = hand_out(fresh, session, batches, kills, starts, worked)
            models = [(seed + k) % len(MODELS) for k in MODELS]
            try:
                found = answer(session, handed, models, seconds)
            except tf.errors.OpError as error:
                found = type(error).__name__
    return {"answers": found, "seconds": worked}
