# @title A race of four ways to add up (run this; open it to see how it works)
# Trains with the same function and another reduce each time, in one set of processes; draws and keeps what came.
import html
import json
import os
import pathlib
import tempfile
import time

import matplotlib.pyplot as plt
import numpy as np
import psutil
import tensorflow as tf
from solutions._shared.cluster_processes import ClusterError, helper
from solutions._shared.figures import PALETTE, image_of, show
from solutions._shared.local_cluster import LocalCluster
from solutions._shared.ring_link import greet, open_link
from solutions._shared.ring_processes import HEAD, all_there, trainer_text

RACE_HEAD = HEAD.replace("import time\n", "import pathlib\nimport time\n") + "import psutil\n"
WAYS = ["your ring", "TensorFlow's ring", "one ps", "one process"]


def tensorflow_ring(i, n, target, length):
    """A function that adds up vectors of all workers by the op that MultiWorkerMirroredStrategy calls."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph, tf.device(f"/job:worker/task:{i}/device:CPU:0"):
        given = v1.placeholder(tf.float32, [length])
        total = tf.raw_ops.CollectiveReduceV2(
            input=given,
            group_size=n,
            group_key=1,
            instance_key=1,
            ordering_token=[],
            merge_op="Add",
            final_op="Id",
            communication_hint="ring",
            timeout_seconds=20,
        )
    config = v1.ConfigProto(operation_timeout_in_ms=20_000)
    config.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
    options = v1.RunOptions()
    options.experimental.collective_graph_key = 1  # runs of several sessions that belong together
    session = v1.Session(target, graph=graph, config=config)
    return lambda flat: session.run(total, {given: flat}, options=options)


def link_with_server(i, me, following, target, seconds):
    """One of the two links between worker i and ps/0, which are called alike at both ends."""
    names = {"me": me, "next": following}
    to_server, to_worker = "to the sum", f"sum for {i}"
    boxes = (
        (to_server, to_worker) if following.startswith("/job:worker") else (to_worker, to_server)
    )
    return open_link({**names, "inbox": boxes[0], "outbox": boxes[1]}, target, seconds)


def serve_sums(n, target):
    """What ps/0 does: take the vectors of n workers as they come, send the sum to each. It does not end."""
    links = []
    for i in range(n):
        links.append(link_with_server(i, "/job:ps/task:0", f"/job:worker/task:{i}", target, 120.0))
    recv = links[0][1]  # all take out of the same queue
    while True:
        total = sum(recv() for _ in range(n))
        for send, _ in links:
            send(total)


def bytes_on_loopback():
    """All that this machine's processes have sent each other so far, in bytes."""
    cards = psutil.net_io_counters(pernic=True)
    return next(card.bytes_sent for name, card in cards.items() if name.lower().startswith("lo"))


def race_program(job, plan, all_reduce, train):
    """What each process does: be a server; train by one way after the other; note when and what it sent."""
    settings = json.loads(os.environ["TF_CONFIG"])
    task, n = settings["task"], len(settings["cluster"]["worker"])
    config = tf.compat.v1.ConfigProto()
    config.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
    server = tf.distribute.Server(settings["cluster"], task["type"], task["index"], config=config)
    if task["type"] == "ps":
        serve_sums(n, server.target)
    alone = {"cluster": {"worker": settings["cluster"]["worker"]}, "task": task}
    mine = plan(json.dumps(alone), 0)
    i = mine["rank"]
    with np.load(job["data"]) as file:
        data = dict(file)
    start = [data[f"w{k}"] for k in range(4)]
    length = sum(weight.size for weight in start)
    send, recv = open_link(mine, server.target, 60.0)
    greet(send, recv)
    me = f"/job:worker/task:{task['index']}"
    give, take = link_with_server(task["index"], me, "/job:ps/task:0", server.target, 60.0)
    collective = tensorflow_ring(task["index"], n, server.target, length)
    sent, noted = [], []

    def counted(send):
        def count(array):
            sent.append(np.asarray(array).nbytes)
            send(array)

        return count

    def by_server(flat):
        counted(give)(flat)
        return take()

    def by_ring(flat):
        return np.array(all_reduce(i, n, counted(send), recv, flat))

    def nothing(flat):
        return flat

    found = {}
    ways = {"your ring": by_ring, "TensorFlow's ring": collective, "one ps": by_server}
    for way, reduce in {**ways, "one process": nothing}.items():
        if way == "one process" and i != 0:
            continue

        def timed(flat, reduce=reduce):
            begin = time.perf_counter()
            total = reduce(np.asarray(flat))
            noted.append((begin, time.perf_counter(), bytes_on_loopback()))
            return total

        sent.clear()
        noted.clear()
        place = (0, 1) if way == "one process" else (i, n)
        batches = data["batches"].tolist()
        weights = train(*place, timed, start, data["x"], data["y"], batches, float(data["rate"]))
        flat = np.concatenate([np.asarray(weight).reshape(-1) for weight in weights])
        found[way] = {"times": list(noted), "sent": sum(sent), "weights": flat.tolist()}
    out = f"{job['out']}-{task['index']}"
    pathlib.Path(out + ".part").write_text(json.dumps(found))
    os.replace(out + ".part", out + ".json")  # whoever sees the file sees all of it
    server.join()


def race(plan, all_reduce, train, data, n=3, warm=10, seconds=120.0):
    """Train by four ways, in one run of n workers and a parameter server.

    Args:
        plan, all_reduce, train: the functions of this lesson's exercises.
        data: dict, of digits_job.
        n: int, number of workers.
        warm: int, first steps of each way that do not count.
        seconds: float, limit for all.
    Returns:
        dict: for each of WAYS a dict: "step", seconds of a step
            (median); "reduce", seconds of it in reduce, sending and waiting; "sent", bytes of worker 0 in
            a step that its own code has sent, 0 where TensorFlow sends; "carried", bytes on the loopback
            in a step, of all processes; "difference", the largest weight's from those of one process.
    Raises:
        ClusterError: a task failed, or the limit was over.
    """
    folder = tempfile.mkdtemp(dir=helper.folder)
    np.savez(f"{folder}/data.npz", **data)
    job = {"data": f"{folder}/data.npz", "out": f"{folder}/out"}
    outs = [pathlib.Path(f"{folder}/out-{k}.json") for k in range(n)]
    more = [tensorflow_ring, link_with_server, serve_sums, bytes_on_loopback]
    text = trainer_text(plan, all_reduce, train, race_program, more, RACE_HEAD)
    environment = {"RING_JOB": json.dumps(job)}
    jobs = {"worker": n, "ps": 1}
    with LocalCluster(jobs, script=text, env=environment, wait=False, name="ring") as cluster:
        error = all_there(cluster, outs, seconds)
    if error:
        raise ClusterError(f"The race did not end: {error}")
    found = [json.loads(out.read_text()) for out in outs]
    right = np.array(found[0]["one process"]["weights"])
    return {way: of_one_way(found[0][way], right, warm) for way in WAYS}


def of_one_way(found, right, warm):
    """The figures of a way, by what worker 0 has noted; see race."""
    begins, ends, loopback = np.array(found["times"]).T
    steps = len(begins)
    return {
        "step": float(np.median(np.diff(begins[warm:]))),
        "reduce": float(np.median((ends - begins)[warm:])),
        "sent": found["sent"] // steps,
        "carried": float(loopback[-1] - loopback[warm]) / (steps - 1 - warm),
        "difference": float(np.abs(np.array(found["weights"]) - right).max()),
    }


def race_picture(found):
    """A bar for each way: a worker's step, of which it computes, and sends and waits; (figure, words)."""
    figure, axes = plt.subplots(figsize=(8, 2.6))
    words = []
    for row, way in enumerate(WAYS):
        inside = 1000 * found[way]["reduce"]
        outside = max(0.0, 1000 * found[way]["step"] - inside)
        axes.barh(row, outside, color=PALETTE["blue"], label="computes" if not row else None)
        axes.barh(
            row,
            inside,
            left=outside,
            color=PALETTE["orange"],
            hatch="//",
            edgecolor="white",
            label="sends and waits" if not row else None,
        )
        words.append(f"{way}: {outside:.0f} ms computing, {inside:.0f} ms sending and waiting")
    axes.set_yticks(range(len(WAYS)), WAYS)
    axes.invert_yaxis()
    axes.set_xlabel("a step of worker 0 (median), milliseconds")
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, "; ".join(words) + "."


def race_table(found):
    """Rows of text: way, ms a step, share in reduce, bytes that its code sends, bytes carried, difference."""
    rows = [["way", "ms a step", "in reduce", "sent by one", "carried", "apart"]]
    for way in WAYS:
        it = found[way]
        sent = f"{it['sent']:,}" if it["sent"] else "-"
        share = f"{it['reduce'] / it['step']:.0%}"
        figures = [f"{1000 * it['step']:.1f}", share, sent, f"{it['carried']:,.0f}"]
        rows.append([way, *figures, f"{it['difference']:.0e}"])
    return rows


def show_race(found, file):
    """Print the table of a race, show its picture, and write both as a page into `file`."""
    figure, words = race_picture(found)
    picture = image_of(figure, words)
    rows = race_table(found)
    for way, *figures in rows:
        print(f"{way:18}" + "".join(f"{text:>13}" for text in figures))
    show(figure, words)
    cells = ["".join(f"<td>{html.escape(text)}</td>" for text in row) for row in rows]
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    about = f"Medians of one run on {os.cpu_count()} cores; bytes are those of a step."
    style = "body{font-family:sans-serif;max-width:50em;margin:2em auto} td{padding:.3em .8em}"
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A trainer's race</title><style>{style}</style></head>
<body><h1>A trainer's race</h1><p>{about}</p><table>{table}</table>{picture}</body></html>
"""
    pathlib.Path(file).write_text(page, encoding="utf-8")
    print(f"Written to {file}: a page to show.")
