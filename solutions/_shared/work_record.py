# @title Work record (run this; open it to see how it works)
# What a cluster did with your function `work`, from notes and logs, and from the variables on the ps: exercise 5.
import re

import tensorflow as tf


def session_of(cluster, graph):
    """A session of our own on the cluster's first ps."""
    settings = {"operation_timeout_in_ms": 10_000, "device_filters": ["/job:ps"]}
    config = tf.compat.v1.ConfigProto(**settings)
    return tf.compat.v1.Session(cluster.target("ps/0"), graph=graph, config=config)


def final_values(cluster, variables):
    """{variable: value} of the variables that are single numbers, read from the ps."""
    with tf.Graph().as_default() as graph:
        reads = {}
        for name, device in variables.items():
            with tf.device(device):
                kind = tf.int64 if name == "global_step" else tf.float32
                variable = tf.compat.v1.get_variable(name, [], kind, use_resource=True)
                reads[name] = tf.identity(variable.read_value())
    with session_of(cluster, graph) as session:
        return {name: float(value) for name, value in session.run(reads).items()}


def last_of(notes, key):
    """{worker: the last value that it noted under this key}."""
    return {note["worker"]: note[key] for note in notes if key in note}


def last_error(cluster, everybody):
    """The last line of an error in the workers' logs, or an empty text."""
    lines = [line for worker in everybody for line in cluster.log(worker).splitlines()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return errors[-1][-160:] if errors else ""


def what_happened(cluster, everybody, notes):
    """What a cluster did, as plain values.

    Returns:
        dict: "ended", how the workers ended; "error", see last_error; "chiefs", who opened as chief; "variables" and
        "compute", where they are; "gradients", where each worker's are computed; "own", steps of each worker; "left",
        the shared step that each saw last; "opened", [worker, shared step] of each session; "values", of single
        numbers on the ps at the end; "accuracy", on the test, where the chief noted it.
    """
    states = cluster.alive()
    where = next(iter(last_of(notes, "variables").values()), {})
    happened = {
        "ended": sorted({states[worker] for worker in everybody}),
        "error": last_error(cluster, everybody),
        "chiefs": sorted({note["worker"] for note in notes if note["chief"]}),
        "variables": where,
        "compute": last_of(notes, "compute"),
        "gradients": last_of(notes, "gradients"),
        "own": last_of(notes, "own"),
        "left": last_of(notes, "step"),
        "opened": [[note["worker"], note["opened"]] for note in notes if "opened" in note],
        "values": {},
        "accuracy": last_of(notes, "accuracy").get(0, 0.0),
    }
    counted = {
        name: device for name, device in where.items() if name in ("global_step", "w0", "w1", "w2")
    }
    if counted and all(device.startswith("/job:ps") for device in counted.values()):
        try:
            happened["values"] = final_values(cluster, counted)
        except (tf.errors.OpError, ValueError) as error:
            happened["error"] = happened["error"] or type(error).__name__
    return happened
