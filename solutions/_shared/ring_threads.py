# @title Workers as threads (run this; open it to see how it works)
# Runs a function as n workers of a ring, each a thread, with real queues between them.
import textwrap
import time

import numpy as np
import tensorflow as tf
from solutions._shared.local_cluster import text_of
from solutions._shared.ring_link import add_queue, receiver, sender
from solutions._shared.waiting import in_background

STUCK = 3.0  # seconds; a message of a healthy ring takes a thousandth of one


def noted(send, messages):
    """`send`, which also keeps a copy of each array that was sent."""

    def send_and_note(array):
        send(array)
        messages.append(np.array(array))

    return send_and_note


def in_ring(n, work, seconds=STUCK):
    """Call work(i, n, send, recv) for i = 0 .. n - 1, each in a thread.

    Args:
        n: int, number of workers.
        work: function.
        seconds: float; a send or recv that waits longer ends with a DeadlineExceededError.
    Returns:
        dict: "results", what each worker returned, or None; "errors", for each worker its error as
            text, or ""; "sent", for each worker the arrays that it sent, in order.
    Raises:
        NotImplementedError: `work` is not written yet.
    """
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        queues = [add_queue(f"to {i}") for i in range(n)]
    config = v1.ConfigProto(operation_timeout_in_ms=int(1000 * seconds))
    sent = [[] for _ in range(n)]
    with v1.Session(graph=graph, config=config) as session:
        workers = []
        for i in range(n):
            send = noted(sender(session, queues[(i + 1) % n]), sent[i])
            workers.append(in_background(work, i, n, send, receiver(session, queues[i])))
        results, errors = outcomes(workers, limit=20.0)
    return {"results": results, "errors": errors, "sent": sent}


def outcomes(workers, limit):
    """(results, errors) of futures that get so many seconds together."""
    end = time.monotonic() + limit
    results, errors = [], []
    for future in workers:
        result, error = None, ""
        try:
            result = future.result(max(0.0, end - time.monotonic()))
        except NotImplementedError:
            raise
        except Exception as raised:
            error = f"{type(raised).__name__}: {str(raised).splitlines()[0] if str(raised) else ''}"
        results.append(result)
        errors.append(error)
    return results, errors


def whole_vectors(i, n, send, recv, flat):
    """An all-reduce without chunks: every vector goes once round the ring, whole.

    It is right, and n / 2 times as dear as it need be.
    """
    found = {i: flat}
    for step in range(n - 1):
        send(found[(i - step) % n])
        found[(i - step - 1) % n] = recv()
    return sum(found[k] for k in range(n))


def by_its_text(function, **more):
    """The function made anew from its text alone, as in the file that it goes into.

    It knows `np`, `tf` and the names in `more`.
    """
    names = {"np": np, "tf": tf, **more}
    exec(textwrap.dedent(text_of(function)), names)
    return names[function.__name__]


def reduce_in_threads(all_reduce, vectors):
    """What in_ring says of all_reduce(i, n, send, recv, vectors[i]), and more.

    Returns:
        the dict of in_ring, and "arguments", the vectors after it; "hasty", which workers called recv more often
            than they had called send.
    """
    arguments = [np.array(vector) for vector in vectors]
    hasty = set()

    def work(i, n, send, recv):
        more_sent = 0

        def counted_send(array):
            nonlocal more_sent
            send(array)
            more_sent += 1

        def counted_recv():
            nonlocal more_sent
            more_sent -= 1
            if more_sent < 0:
                hasty.add(i)
            return recv()

        return all_reduce(i, n, counted_send, counted_recv, arguments[i])

    record = in_ring(len(vectors), work)
    return {**record, "arguments": arguments, "hasty": sorted(hasty)}
