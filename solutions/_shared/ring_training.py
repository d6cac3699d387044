# @title Training beside one process alone (run this; open it to see how it works)
# Runs a function that trains as n workers, in threads or processes, and compares with one process.
import contextlib

import numpy as np
import tensorflow as tf
from solutions._shared.local_cluster import text_of
from solutions._shared.ring_network import accuracy, first_weights, losses
from solutions._shared.ring_processes import digits_job, ring_job, trainer_text
from solutions._shared.ring_threads import in_ring, whole_vectors


def trained_alone(weights, x, y, batches, rate):
    """The weights after gradient descent in one process, a list of arrays."""
    variables = [tf.Variable(weight) for weight in weights]
    optimizer = tf.keras.optimizers.SGD(rate)
    for batch in batches:
        with tf.GradientTape() as tape:
            mean_loss = tf.reduce_mean(losses(variables, tf.gather(x, batch), tf.gather(y, batch)))
        gradients = tape.gradient(mean_loss, variables)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
    return [variable.numpy() for variable in variables]


@contextlib.contextmanager
def counting_rows(train, part=1):
    """A function for each worker that calls `train` and counts the rows that it puts through `losses`.

    That `losses` returns each loss divided by `part`: whose gradients come from elsewhere goes further.
    """
    text_of(train)  # raises where it is no function of its own
    names, count_of = train.__globals__, {}
    plain = names["losses"]

    def counted(i, *arguments):
        count_of[i] = 0

        def losses_of_worker(weights, x, y):
            def count(rows):
                count_of[i] += int(rows)
                return np.int32(0)

            tf.numpy_function(count, [tf.shape(y)[0]], tf.int32)  # runs in a tf.function, too
            return plain(weights, x, y) / part

        worker = type(train)(train.__code__, {**names, "losses": losses_of_worker})
        worker.__defaults__ = train.__defaults__
        return worker(i, *arguments)

    yield counted, count_of


def random_job(sizes, seed):
    """(weights, x, y, batches) with made-up rows and batches of such sizes."""
    random = np.random.RandomState(seed)
    x = np.float32(random.random_sample([200, 64]))
    y = np.int32(random.randint(10, size=200))
    batches = [random.permutation(200)[:size].tolist() for size in sizes]
    return first_weights(seed), x, y, batches


def train_in_threads(train, n, sizes, seed, rate):
    """What n threads with real queues make of `train`, beside one process alone.

    In a job of one step each loss is halved.

    Args:
        train: function(i, n, reduce, weights, x, y, batches, rate).
        n: int, number of workers.
        sizes: list of int, rows of each step's batch.
        seed: int, for rows and first weights.
        rate: float, learning rate.
    Returns:
        dict: "errors", a text for each worker; "shapes", whether all returned arrays like the weights;
            "differences", for each worker the largest from one process; "ratios", for each worker how
            far it went the right way, 1 where it is right; "moved" and "unchanged", whether the result
            and the given weights differ from the first ones; "same data", whether x, y and the batches are as
            they were; "rows", of each worker; "reduced", for
            each worker the (length, dtype) of each vector.
    """
    weights, x, y, batches = random_job(sizes, seed)
    given = [[np.array(weight) for weight in weights] for _ in range(n)]
    data = [(x.copy(), y.copy(), [list(batch) for batch in batches]) for _ in range(n)]
    reduced = [[] for _ in range(n)]
    part = 2 if len(sizes) == 1 else 1
    with counting_rows(train, part) as (counted, rows):

        def work(i, n, send, recv):
            def reduce(flat):
                flat = np.asarray(flat)
                reduced[i].append((int(flat.size), flat.dtype.name))
                return whole_vectors(i, n, send, recv, flat)

            return counted(i, n, reduce, given[i], *data[i], rate)

        record = in_ring(n, work)
    right = trained_alone(weights, x, y, batches, rate / part)
    return {
        "errors": record["errors"],
        "rows": [rows.get(i, 0) for i in range(n)],
        "reduced": reduced,
        "unchanged": all(
            np.array_equal(a, b) for mine in given for a, b in zip(mine, weights, strict=True)
        ),
        "same data": all(
            np.array_equal(mine[0], x) and np.array_equal(mine[1], y) and mine[2] == batches
            for mine in data
        ),
        **compared(record["results"], weights, right),
    }


def one_vector(weights):
    """All weights behind each other."""
    return np.concatenate([np.asarray(weight, float).reshape(-1) for weight in weights])


def compared(results, first, right):
    """How the weights of all workers differ from the right ones; see train_in_threads."""
    shapes = [weight.shape for weight in first]
    fit = [
        isinstance(result, (list, tuple)) and [np.shape(part) for part in result] == shapes
        for result in results
    ]
    if not all(fit):
        return {"shapes": False, "differences": [], "ratios": [], "moved": False}
    begin, goal = one_vector(first), one_vector(right)
    way = goal - begin
    ends = [one_vector(result) for result in results]
    return {
        "shapes": True,
        "differences": [float(np.abs(end - goal).max()) for end in ends],
        "ratios": [float((end - begin) @ way / (way @ way)) for end in ends],
        "moved": all(np.abs(end - begin).max() > 0 for end in ends),
    }


def train_in_processes(plan, all_reduce, train, n=3):
    """150 steps of digits on n processes; they start only where threads get it right.

    Returns:
        dict: "started", bool; "error", str; "difference", the largest from one process alone; "equal
            workers", bool; "accuracy" on the test; "sent", for each worker the bytes.
    """
    nothing = {"error": "", "difference": 0.0, "equal workers": False, "accuracy": 0.0, "sent": []}
    trial = train_in_threads(train, n, [9, 7], 0, 0.3)
    if not trial["shapes"] or max(trial["differences"]) > 1e-6:
        return {"started": False, **nothing}
    data = digits_job()
    found = ring_job(trainer_text(plan, all_reduce, train), data, n)
    if found["error"]:
        return {"started": True, **nothing, "error": found["error"]}
    first = [data[f"w{k}"] for k in range(4)]
    right = trained_alone(first, data["x"], data["y"], data["batches"], data["rate"])
    results = found["weights"]
    first_one = one_vector(results[0])
    same = [np.array_equal(one_vector(other), first_one) for other in results]
    return {
        "started": True,
        "error": "",
        "difference": max(compared(results, first, right)["differences"]),
        "equal workers": all(same),
        "accuracy": accuracy(results[0], data["test_x"], data["test_y"]),
        "sent": found["sent"],
    }
