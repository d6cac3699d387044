# @title A link: a queue at each neighbour
import time

import numpy as np
import tensorflow as tf


def add_queue(name, device=None):
    """In the graph at hand: the queue `name` on a device, and the ops at both of its ends.

    A message is the name of a dtype and the bytes of an array of one dimension.
    """
    v1 = tf.compat.v1
    with v1.device(device):
        queue = v1.FIFOQueue(64, [tf.string, tf.string], [[], []], shared_name=name)
        kind, data = v1.placeholder(tf.string, []), v1.placeholder(tf.string, [])
        ends = {"name": name, "kind": kind, "data": data}
        return {**ends, "put": queue.enqueue([kind, data]), "get": queue.dequeue()}


def sender(session, queue):
    """A function that puts an array into the queue. It waits while the queue is full."""

    def send(array):
        array = np.asarray(array)
        if array.ndim != 1:
            raise ValueError(f"send takes an array of one dimension, not of {array.ndim}")
        message = {queue["kind"]: array.dtype.name, queue["data"]: array.tobytes()}
        session.run(queue["put"], message)

    return send


def receiver(session, queue):
    """A function that takes the oldest array out of the queue. It waits while there is none."""

    def recv():
        try:
            kind, data = session.run(queue["get"])
        except tf.errors.DeadlineExceededError as error:
            words = f"nothing came into the queue {queue['name']!r}"
            raise tf.errors.DeadlineExceededError(None, None, words) from error
        return np.frombuffer(data, tf.as_dtype(kind.decode()).as_numpy_dtype).copy()

    return recv


def open_link(plan, target, seconds=10.0):
    """The two ends of a worker: (send to the next worker, recv what came for this one).

    Args:
        plan: dict, what `plan` returns.
        target: str, this worker's own server.
        seconds: float; whoever waits longer gets a DeadlineExceededError.
    """
    v1 = tf.compat.v1
    filters = [plan["me"], plan["next"]]  # a session that needs nobody else
    options = {"device_filters": filters, "operation_timeout_in_ms": int(1000 * seconds)}
    with tf.Graph().as_default() as graph:
        outbox = add_queue(plan["outbox"], plan["next"] + "/device:CPU:0")
        inbox = add_queue(plan["inbox"], plan["me"] + "/device:CPU:0")
    session = v1.Session(target, graph=graph, config=v1.ConfigProto(**options))
    return sender(session, outbox), receiver(session, inbox)


def greet(send, recv, seconds=60.0):
    """Wait until the next worker listens and the one before has said so; both may start later than this one."""
    end = time.monotonic() + seconds
    while True:
        try:
            send(np.zeros(0, "float32"))
            break
        except tf.errors.UnavailableError:  # nobody listens there yet
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
    recv()
