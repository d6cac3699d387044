# @title Gradients in buckets (run this; open it to see how it works)
# A backward pass that hands out its gradients one by one, a drill for sum_early, and a run over processes.
import json
import os
import pathlib
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import tensorflow as tf
from solutions._shared.cluster_processes import ClusterError, helper
from solutions._shared.lane_picture import draw_lanes
from solutions._shared.local_cluster import LocalCluster, text_of
from solutions._shared.ring_link import greet, open_link
from solutions._shared.ring_processes import (
    HEAD,
    LINK,
    START,
    all_there,
    digits_job,
    right_sums,
    simple_plan,
)
from solutions._shared.ring_threads import in_ring, whole_vectors

IDLE = 5.0  # seconds after which somebody who takes no further gradient must be waiting for a sum

BUCKET_HEAD = HEAD.replace(
    "import traceback\n", "import traceback\nfrom concurrent.futures import ThreadPoolExecutor\n"
)


def backward(weights, x, y):
    """The gradients of the mean loss, each as soon as it is known: from the last layer to the first.

    Args:
        weights: list of arrays: the matrix and the biases of the first layer, of the second, ...
        x: array [rows, inputs]. y: array [rows] of int.
    Yields:
        (k, gradient of weights[k]), an int and an array.
    """
    layers, value = [], tf.constant(x)
    for k in range(0, len(weights), 2):
        matrix, bias = tf.constant(weights[k]), tf.constant(weights[k + 1])
        with tf.GradientTape() as tape:
            tape.watch([value, matrix, bias])
            out = value @ matrix + bias
            out = tf.nn.relu(out) if k + 2 < len(weights) else out
        layers.append((k, tape, [value, matrix, bias], out))
        value = out
    with tf.GradientTape() as tape:
        tape.watch(value)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=value)
        loss = tf.reduce_mean(loss)
    upstream = tape.gradient(loss, value)
    for k, tape, inputs, out in reversed(layers):
        upstream, of_matrix, of_bias = tape.gradient(out, inputs, output_gradients=upstream)
        yield k + 1, of_bias.numpy()
        yield k, of_matrix.numpy()


class Waiters(list):
    """The waiters of a Waited: who comes here waits by wait or as_completed of concurrent.futures."""

    def __init__(self, note):
        super().__init__()
        self.note = note

    def append(self, waiter):
        self.note()
        super().append(waiter)


class Waited(Future):
    """A future that calls `note` when somebody waits for it."""

    def __init__(self, note):
        super().__init__()
        self.note = note
        self._waiters = Waiters(note)

    def result(self, timeout=None):
        self.note()
        return super().result(timeout)

    def exception(self, timeout=None):
        self.note()
        return super().exception(timeout)


def early_in_threads(sum_early, n, shapes, limit, seed=0):
    """What n workers of a ring make of sum_early.

    Args:
        sum_early: function(gradients, limit, start).
        n: int, number of workers.
        shapes: list of tuples, of the weights; the gradients come from the last to the first.
        limit: int, bytes of a bucket.
        seed: int, for the numbers.
    Returns:
        dict: "results", for each worker what it returned, or None; "right", {k: sum}; "errors", texts;
            "events", for each worker what it did, in order: "take k", "send [k, ...] of so many bytes", "wait",
            "no more"; "unchanged", bool, whether the gradients stayed as given.
    """
    random = np.random.RandomState(seed)
    given = [
        {k: np.float32(random.randint(1, 99, shape)) for k, shape in enumerate(shapes)}
        for _ in range(n)
    ]
    kept = [{k: array.copy() for k, array in mine.items()} for mine in given]
    events = [[] for _ in range(n)]

    def work(i, n, send, recv):
        # no sum is there before all is taken, or waited for: else it would be luck whether one had to wait
        awaited = threading.Event()

        def gradients():
            for k in reversed(range(len(shapes))):
                events[i].append(f"take {k}")
                yield k, given[i][k]
            events[i].append("no more")
            awaited.set()

        def note():
            events[i].append("wait")
            awaited.set()

        def reduce(flat, future):
            try:
                total = whole_vectors(i, n, send, recv, flat)
                if not awaited.wait(IDLE):  # they wait by done, or by a callback
                    note()
                future.set_result(total)
            except Exception as error:
                future.set_exception(error)

        def start(flat):
            flat = np.array(flat)
            events[i].append(f"send {flat.nbytes} bytes")
            future = Waited(note)
            future.set_running_or_notify_cancel()
            pool.submit(reduce, flat, future)
            return future

        with ThreadPoolExecutor(1) as pool:
            try:
                return sum_early(gradients(), limit, start)
            finally:
                awaited.set()

    record = in_ring(n, work)
    return {
        "results": record["results"],
        "errors": record["errors"],
        "events": events,
        "right": {k: sum(mine[k] for mine in kept) for k in range(len(shapes))},
        "unchanged": all(
            np.array_equal(mine[k], before[k])
            for mine, before in zip(given, kept, strict=True)
            for k in mine
        ),
    }


def limited(send, rate):
    """`send` over a link of `rate` bytes a second, which is this machine's own where rate is 0."""

    def send_slowly(array):
        if rate:
            time.sleep(np.asarray(array).nbytes / rate)
        send(array)

    return send_slowly


def bucket_program(job, sum_early, all_reduce):
    """What each process does: train with one limit after the other, and note who worked when."""
    settings = json.loads(os.environ["TF_CONFIG"])
    tf.config.threading.set_intra_op_parallelism_threads(1)  # a machine of one core
    server = tf.distribute.Server(settings["cluster"], "worker", settings["task"]["index"])
    mine = simple_plan(os.environ["TF_CONFIG"], 0)
    i, n = mine["rank"], mine["n"]
    send, recv = open_link(mine, server.target, 60.0)
    greet(send, recv)
    with np.load(job["data"]) as file:
        data = dict(file)
    pool = ThreadPoolExecutor(1)  # one all-reduce after the other, in the order of their start
    found = []
    for limit, rate in job["runs"]:
        weights = [data[f"w{k}"] for k in range(job["weights"])]
        steps = []
        link = limited(send, rate)
        for step in range(job["steps"]):
            rows = np.random.RandomState([step, i]).randint(len(data["x"]), size=job["rows"])
            spans = []

            def gradients(weights=weights, rows=rows, spans=spans):
                begin = time.perf_counter()
                for k, gradient in backward(weights, data["x"][rows], data["y"][rows]):
                    spans.append((begin, time.perf_counter(), 0))
                    yield k, gradient
                    begin = time.perf_counter()

            def start(flat, spans=spans, link=link):
                def reduce():
                    begin = time.perf_counter()
                    total = np.array(all_reduce(i, n, link, recv, np.asarray(flat)))
                    spans.append((begin, time.perf_counter(), 1))
                    return total

                return pool.submit(reduce)

            begin = time.perf_counter()
            sums = sum_early(gradients(), limit, start)
            end = time.perf_counter()
            weights = [weight - np.float32(0.05 / n) * sums[k] for k, weight in enumerate(weights)]
            steps.append([end - begin, [(a - begin, b - begin, kind) for a, b, kind in spans]])
        found.append({"steps": steps, "sum": float(sum(np.abs(w).sum() for w in weights))})
    out = f"{job['out']}-{settings['task']['index']}"
    with open(out + ".part", "w") as file:
        json.dump(found, file)
    os.replace(out + ".part", out + ".json")  # whoever sees the file sees all of it
    server.join()


def deep_weights(layers, wide, seed=0):
    """Matrices and biases of a network for digits with so many layers."""
    random = np.random.RandomState(seed)
    sizes = [64] + [wide] * (layers - 1) + [10]
    weights = []
    for rows, columns in zip(sizes[:-1], sizes[1:], strict=True):
        weights.append(np.float32(random.normal(size=[rows, columns]) / np.sqrt(rows)))
        weights.append(np.zeros(columns, np.float32))
    return weights


def train_in_buckets(sum_early, all_reduce, runs, layers=6, wide=512, rows=4096, steps=8, n=2):
    """Train a network of `layers` layers on n processes, once for each of `runs`.

    Args:
        sum_early, all_reduce: the functions of this lesson's exercises.
        runs: list of (bytes of a bucket, bytes a second that the link carries; 0: as it is).
        layers, wide, rows, steps, n: int; `rows` are those of a worker.
    Returns:
        for each run a dict of worker 0: "step", seconds of a step (median); "wait", seconds of it without
            computing (median); "buckets", how many; "lanes" of that median step, for draw_lanes; "sum", of all
            weights at the end, the same in all runs up to rounding.
    Raises:
        ClusterError: a task failed, or did not end.
    """
    folder = tempfile.mkdtemp(dir=helper.folder)
    weights, data = deep_weights(layers, wide), digits_job(1)
    arrays = {f"w{k}": weight for k, weight in enumerate(weights)}
    np.savez(f"{folder}/data.npz", x=data["x"], y=data["y"], **arrays)
    job = {"runs": runs, "steps": steps, "rows": rows, "weights": len(weights)}
    job |= {"data": f"{folder}/data.npz", "out": f"{folder}/out"}
    all_reduce = all_reduce if right_sums(all_reduce) else whole_vectors
    parts = [*LINK, simple_plan, backward, limited, all_reduce, sum_early, bucket_program]
    start = START.replace("worker_program(", "bucket_program(")
    names = f"{sum_early.__name__}, {all_reduce.__name__})"
    start = start.replace("plan, all_reduce, train)", names)
    text = "\n\n".join([BUCKET_HEAD, *map(text_of, parts), start])
    outs = [pathlib.Path(f"{folder}/out-{k}.json") for k in range(n)]
    environment = {"RING_JOB": json.dumps(job)}
    with LocalCluster(
        {"worker": n}, script=text, env=environment, wait=False, name="ring"
    ) as cluster:
        error = all_there(cluster, outs, 120.0)
    if error:
        raise ClusterError(f"The run did not end: {error}")
    return [of_one_limit(found) for found in json.loads(outs[0].read_text())]


def of_one_limit(found):
    """The figures of one run of worker 0, without its first two steps; see train_in_buckets."""
    steps = sorted(found["steps"][2:], key=lambda step: step[0])
    seconds, spans = steps[len(steps) // 2]
    waits = [took - sum(b - a for a, b, kind in some if not kind) for took, some in steps]
    lanes = {"computes": [], "all-reduce": []}
    for begin, end, kind in spans:
        lanes["all-reduce" if kind else "computes"].append((1000 * begin, 1000 * end, "", kind))
    return {
        "step": seconds,
        "wait": float(np.median(waits)),
        "buckets": len(lanes["all-reduce"]),
        "lanes": lanes,
        "sum": found["sum"],
    }


def draw_buckets(runs):
    """The median step of each of {name: a dict of train_in_buckets}: a row that computes, a row that sends."""
    lanes = {}
    for name, run in runs.items():
        for row, lane in run["lanes"].items():
            lanes[f"{name}: {row}"] = lane
    draw_lanes(lanes, "A step of worker 0", "milliseconds", ["computes", "all-reduce"])
