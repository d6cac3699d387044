# @title Workers as processes (run this; open it to see how it works)
# Writes trainer.py from the lesson's functions and yours, and runs it as the workers of a real cluster.
import json
import os
import pathlib
import re
import tempfile
import time

import numpy as np
import tensorflow as tf
from solutions._shared.cluster_processes import helper
from solutions._shared.local_cluster import LocalCluster, text_of
from solutions._shared.ring_link import add_queue, greet, open_link, receiver, sender
from solutions._shared.ring_network import digit_batches, first_weights, losses
from solutions._shared.ring_threads import by_its_text, in_ring, whole_vectors

HEAD = '''"""A data-parallel trainer over real processes: a ring of workers, each with a TensorFlow server."""

import json
import os
import time
import traceback

import numpy as np
import tensorflow as tf
'''
START = """if __name__ == "__main__":
    try:
        worker_program(json.loads(os.environ["RING_JOB"]), plan, all_reduce, train)
    except Exception:
        traceback.print_exc()
        os._exit(1)  # the server's threads would keep the process alive
"""
LINK = [add_queue, sender, receiver, open_link, greet, losses]


def simple_plan(tf_config, generation):
    """Who is next, for a cluster of workers alone, in its only generation."""
    settings = json.loads(tf_config)
    i, n = settings["task"]["index"], len(settings["cluster"]["worker"])
    k = (i + 1) % n
    me, following = f"/job:worker/task:{i}", f"/job:worker/task:{k}"
    queues = {"inbox": f"to {i}", "outbox": f"to {k}"}
    return {"rank": i, "n": n, "me": me, "next": following, **queues}


def worker_program(job, plan, all_reduce, train):
    """What each process does: be a server, train, leave the weights in a file, serve until the end.

    Args:
        job: dict of str: "data" and "out", files.
        plan, all_reduce, train: the functions of this lesson's exercises.
    """
    settings = json.loads(os.environ["TF_CONFIG"])
    task = settings["task"]
    server = tf.distribute.Server(settings["cluster"], task["type"], task["index"])
    mine = plan(os.environ["TF_CONFIG"], 0)
    i, n = mine["rank"], mine["n"]
    send, recv = open_link(mine, server.target, 60.0)
    greet(send, recv)  # the others may start later
    sent = []

    def counted(array):
        sent.append(np.asarray(array).nbytes)
        send(array)

    def reduce(flat):
        return np.array(all_reduce(i, n, counted, recv, np.asarray(flat)))

    with np.load(job["data"]) as file:
        data = dict(file)
    start = [data[f"w{k}"] for k in range(4)]
    batches = data["batches"].tolist()
    weights = train(i, n, reduce, start, data["x"], data["y"], batches, float(data["rate"]))
    out = f"{job['out']}-{task['index']}"
    np.savez(out + ".part.npz", *weights, sent=sum(sent), messages=len(sent))
    os.replace(out + ".part.npz", out + ".npz")  # whoever sees the file sees all of it
    server.join()


def right_sums(all_reduce):
    """Whether three threads get the right sum, of float32, from its text alone."""
    vectors = [np.array([1, 2, 3, 4], "float32") * 10**i for i in range(3)]
    try:
        all_reduce = by_its_text(all_reduce)
        found = in_ring(3, lambda i, n, send, recv: all_reduce(i, n, send, recv, vectors[i]))
        results = [np.asarray(result) for result in found["results"]]
        return all(
            result.dtype == np.float32 and np.array_equal(result, sum(vectors))
            for result in results
        )
    except Exception:
        return False


def right_plan(plan):
    """Whether its text alone is right for each of three workers, also in how it names their queues."""
    cluster = {"worker": ["a:1", "b:2", "c:3"]}
    try:
        plan = by_its_text(plan, json=json, os=os, time=time)
        tasks = [{"type": "worker", "index": k} for k in range(3)]
        found = [plan(json.dumps({"cluster": cluster, "task": task}), 0) for task in tasks]
        places = [(mine["rank"], mine["n"], mine["me"], mine["next"]) for mine in found]
        devices = [f"/job:worker/task:{k}" for k in (0, 1, 2, 0)]
        inboxes = [mine["inbox"] for mine in found]
        outboxes = [mine["outbox"] for mine in found]
        return (
            places == [(k, 3, devices[k], devices[k + 1]) for k in range(3)]
            and outboxes == [inboxes[1], inboxes[2], inboxes[0]]
            and len(set(inboxes)) == 3
            and all(isinstance(name, str) for name in inboxes)
        )
    except Exception:
        return False


def is_written(train):
    """Whether exercise 3 has more than its stub."""
    try:
        train(0, 1, lambda flat: flat, [], [], [], [], 0.1)
    except NotImplementedError:
        return False
    except Exception:  # it shows itself where it is run
        return True
    return True


def trainer_text(plan, all_reduce, train, program=worker_program, more=(), head=HEAD):
    """The text of trainer.py.

    For a `plan` or `all_reduce` that is missing, wrong, or not whole by itself, the lesson's simple one is taken.

    Raises:
        NotImplementedError: `train` is not written yet.
    """
    if not is_written(train):
        raise NotImplementedError("train is not written yet")
    plan = plan if right_plan(plan) else simple_plan
    all_reduce = all_reduce if right_sums(all_reduce) else whole_vectors
    parts = [*LINK, *more, plan, all_reduce, train, program]
    texts = [text_of(part) for part in parts]
    names = f"plan, all_reduce, train = {plan.__name__}, {all_reduce.__name__}, {train.__name__}"
    start = START.replace("worker_program(", f"{program.__name__}(")
    return "\n\n".join([head, *texts, names, start])


def error_of(lines):
    """The line of a log that names the error."""
    named = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (named or lines or ["no word"])[-1][:160]


def all_there(cluster, outs, seconds):
    """Wait until workers have left their files; the error of a task that ended before, "no end", or ""."""
    end = time.monotonic() + seconds
    while not all(out.exists() for out in outs):
        ended = [task for task in cluster.tasks if cluster.state(task).startswith("ended")]
        if ended:
            return error_of(cluster.printed(ended[0]).splitlines())
        if time.monotonic() > end:
            return "no end"
        time.sleep(0.05)
    return ""


def ring_job(text, data, n=3, seconds=60.0):
    """Run trainer.py as n workers, each a process, until all have left their weights.

    Args:
        text: str, the program.
        data: dict: "x", "y", "batches", "rate", and "w0" to "w3", the first weights.
        n: int, number of workers.
        seconds: float, limit for all.
    Returns:
        dict: "weights", for each worker a list of arrays; "sent" and "messages", for each worker its
            bytes and messages; "seconds"; "error", the last line of a worker that failed, or "".
    """
    folder = tempfile.mkdtemp(dir=helper.folder)
    np.savez(f"{folder}/data.npz", **data)
    settings = {"data": f"{folder}/data.npz", "out": f"{folder}/out"}
    outs = [pathlib.Path(f"{folder}/out-{k}.npz") for k in range(n)]
    environment = {"RING_JOB": json.dumps(settings)}
    begin = time.monotonic()
    with LocalCluster(
        {"worker": n}, script=text, env=environment, wait=False, name="ring"
    ) as cluster:
        error = all_there(cluster, outs, seconds)
        took = time.monotonic() - begin
    if error:
        return {"error": error, "weights": []}
    files = [dict(np.load(out)) for out in outs]
    return {
        "weights": [[file[f"arr_{k}"] for k in range(4)] for file in files],
        "sent": [int(file["sent"]) for file in files],
        "messages": [int(file["messages"]) for file in files],
        "seconds": took,
        "error": "",
    }


def digits_job(steps=150, size=60, rate=0.3):
    """The data of a job: 1500 digits to train, 297 to test, batches of `size` rows in all."""
    from sklearn.datasets import load_digits

    pixels, digits = load_digits(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(pixels))
    x, y = pixels[order].astype("float32") / 16, digits[order].astype("int32")
    weights = {f"w{k}": weight for k, weight in enumerate(first_weights())}
    batches = digit_batches(steps, size)
    data = {"x": x[:1500], "y": y[:1500], "test_x": x[1500:], "test_y": y[1500:]}
    return {**data, "batches": batches, "rate": rate, **weights}
