#@title Work record (run this; open it to see how it works)
# What a cluster did with your function `work`, from the workers' notes and logs, and from the variables on the ps: exercise 5.
import re
import tensorflow as tf
from solutions._shared.lesson import v1

def final_values(cluster, variables):
    """{variable: value}, read from the ps by a session of our own."""
    with tf.Graph().as_default() as graph:
        reads = {}
        for name, device in variables.items():
            with tf.device(device):
                kind = tf.int64 if name == "global_step" else tf.float32
                reads[name] = tf.identity(v1.get_variable(name, [], kind, use_resource=True).read_value())
    config = v1.ConfigProto(operation_timeout_in_ms=10_000, device_filters=["/job:ps"])
    with v1.Session(cluster.target("ps/0"), graph=graph, config=config) as session:
        return {name: float(value) for name, value in session.run(reads).items()}

def what_happened(cluster, everybody, notes):
    """ended: how the workers ended; error: the last line of an error in their logs; chiefs: who opened as chief;
    variables, compute: where they are; own: steps of each worker; opened: [worker, shared step], one for each session;
    values: of the variables on the ps, at the end."""
    lines = [line for worker in everybody for line in cluster.log(worker).splitlines()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    pick = lambda key: {note["worker"]: note[key] for note in notes if key in note}
    happened = {"ended": sorted({cluster.alive()[worker] for worker in everybody}), "error": (errors or [""])[-1][-160:],
                "chiefs": sorted({note["worker"] for note in notes if note["chief"]}), "compute": pick("compute"),
                "variables": next(iter(pick("variables").values()), {}), "own": pick("own"), "values": {},
                "opened": [[note["worker"], note["opened"]] for note in notes if "opened" in note]}
    where = happened["variables"]
    if where and all(device.startswith("/job:ps") for device in where.values()):
        try:
            happened["values"] = final_values(cluster, where)
        except (tf.errors.OpError, ValueError) as error:
            happened["error"] = happened["error"] or type(error).__name__
    return happened
