# @title Adam whose slots are shared out (run this; open it to see how it works)
# The two halves of an all-reduce, plain Adam to compare with, and a drill for sharded_adam.
import numpy as np
import tensorflow as tf
from solutions._shared.ring_network import accuracy, losses
from solutions._shared.ring_threads import by_its_text, in_ring


def reduce_scatter(i, n, send, recv, flat):
    """The first half of an all-reduce: worker i gets chunk i of the sum of all vectors.

    Args:
        i, n: int, rank of this worker and number of workers.
        send, recv: functions, the links of the ring.
        flat: array of one dimension; zeros are added at its end until n chunks of equal size fill it.
    Returns:
        array of ceil(len(flat) / n) numbers, chunk i of the padded sum.
    """
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], flat.dtype)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - 1 - step) % n])
        chunks[(i - 2 - step) % n] += recv()
    return chunks[i]


def all_gather(i, n, send, recv, chunk):
    """The second half: everybody gets all n chunks, one behind the other, with what was padded."""
    chunks = {i: np.array(chunk)}
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] = recv()
    return np.concatenate([chunks[k] for k in range(n)])


def adam_alone(weights, gradients, rate, corrected=True, epsilon_in_root=False, step_kept=True):
    """Weights after plain Adam in one process, in float64.

    Args:
        weights: array of one dimension.
        gradients: array [steps, len(weights)], the mean gradient of each step.
        rate: float, learning rate.
        corrected, epsilon_in_root, step_kept: bool; the other values are usual mistakes.
    Returns:
        array like weights, of float64.
    """
    weights = np.array(weights, np.float64)
    m, v = np.zeros_like(weights), np.zeros_like(weights)
    for made, gradient in enumerate(np.array(gradients, np.float64), 1):
        step = made if step_kept else 1
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        m_hat = m / (1 - 0.9**step) if corrected else m
        v_hat = v / (1 - 0.999**step) if corrected else v
        root = np.sqrt(v_hat + 1e-7) if epsilon_in_root else np.sqrt(v_hat) + 1e-7
        weights = weights - rate * m_hat / root
    return weights


def adam_inputs(n, length, steps, seed):
    """(weights, gradients [steps, n, length]): half of the gradients as small as Adam's epsilon.

    The weights are far apart, so that a chunk in another's place is seen.
    """
    random = np.random.RandomState(seed)
    weights = np.float32(random.permutation(length) + 1)
    scale = np.where(np.arange(length) % 2, 1.0, 1e-7)
    sign = random.choice([-1, 1], [steps, 1, length])
    return weights, np.float32(random.uniform(0.5, 1.5, [steps, n, length]) * sign * scale)


def adam_in_threads(sharded_adam, n, length, steps, seed, rate):
    """What n workers of a ring make of sharded_adam.

    Returns:
        dict: "results", for each worker its weights, or None; "errors"; "states", for each worker the state after
        each step; "before", the first weights; "gradients", array [steps, length], the mean over the
        workers; "unchanged", bool, whether weights and gradients stayed as given; "calls", for each
        worker how often it scattered and gathered; "gathered", for each worker size and dtype of what it gave to
        a gather; "scattered", for each the dtypes of what it gave to a scatter.
    """
    function = by_its_text(sharded_adam)
    before, gradients = adam_inputs(n, length, steps, seed)
    states = [[] for _ in range(n)]
    calls = [{"reduce_scatter": 0, "all_gather": 0} for _ in range(n)]
    gathered, scattered = [[] for _ in range(n)], [[] for _ in range(n)]
    changed = []

    def work(i, n, send, recv):
        def scatter(flat):
            calls[i]["reduce_scatter"] += 1
            scattered[i].append(np.asarray(flat).dtype.name)
            return reduce_scatter(i, n, send, recv, np.array(flat))

        def gather(chunk):
            calls[i]["all_gather"] += 1
            gathered[i].append((int(np.size(chunk)), np.asarray(chunk).dtype.name))
            return all_gather(i, n, send, recv, chunk)

        weights, state = np.array(before), None
        for step in range(steps):
            given, mine = np.array(weights), np.array(gradients[step, i])
            result, state = function(i, n, scatter, gather, given, mine, rate, state)
            if not (np.array_equal(given, weights) and np.array_equal(mine, gradients[step, i])):
                changed.append(i)
            states[i].append(state)
            weights = np.array(result)
            if weights.shape != before.shape:
                break  # a wrong shape; all workers stop here alike
        return weights

    record = in_ring(n, work)
    means = gradients.astype(np.float64).mean(axis=1)
    return {
        "results": record["results"],
        "errors": record["errors"],
        "states": states,
        "before": before,
        "gradients": means,
        "unchanged": not changed,
        "calls": calls,
        "gathered": gathered,
        "scattered": scattered,
    }


def digits_in_threads(change, n, data, steps):
    """Train the digits with n threads.

    Args:
        change: function(i, n, send, recv, weights, gradient, state) that returns (weights, state): one step
            with vectors of all weights and of this worker's gradient; the mean of all workers' gradients is that
            of the batch. The first state is None.
    Returns:
        dict: "errors" of the workers; "sent", for each worker its messages; and where there is no error "weights",
        for each worker one vector, "networks", for each a list of four arrays, and "states".
    """
    shapes = [data[f"w{k}"].shape for k in range(4)]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]

    def apart(flat):
        parts = zip(np.split(flat, ends), shapes, strict=True)
        return [part.reshape(shape) for part, shape in parts]

    def work(i, n, send, recv):
        flat = np.concatenate([data[f"w{k}"].reshape(-1) for k in range(4)])
        state = None
        for batch in data["batches"][:steps]:
            mine = np.array_split(np.array(batch, int), n)[i]
            variables = [tf.constant(weight) for weight in apart(flat)]
            with tf.GradientTape() as tape:
                tape.watch(variables)
                of_rows = losses(variables, data["x"][mine], data["y"][mine])
                loss = tf.reduce_sum(of_rows) * n / len(batch)
            own = np.concatenate([g.numpy().reshape(-1) for g in tape.gradient(loss, variables)])
            flat, state = change(i, n, send, recv, flat, own, state)
        return flat, state

    record = in_ring(n, work)
    found = {"errors": record["errors"], "sent": record["sent"]}
    if any(record["errors"]):
        return found
    weights = [flat for flat, _ in record["results"]]
    states = [state for _, state in record["results"]]
    return {**found, "weights": weights, "networks": list(map(apart, weights)), "states": states}


def digits_by_adam(sharded_adam, n, data, steps, rate=0.003):
    """Train the digits with n threads and sharded_adam.

    Returns:
        dict: "errors"; "weights", list of four arrays; "slots", bytes of m and v on each worker; "bytes", sent by
        worker 0 in a step; "accuracy".
    """
    function = by_its_text(sharded_adam)

    def change(i, n, send, recv, weights, gradient, state):
        def scatter(flat):
            return reduce_scatter(i, n, send, recv, flat)

        def gather(chunk):
            return all_gather(i, n, send, recv, chunk)

        return function(i, n, scatter, gather, weights, gradient, rate, state)

    found = digits_in_threads(change, n, data, steps)
    if any(found["errors"]):
        return found
    weights = found["networks"][0]
    return {
        "errors": found["errors"],
        "weights": weights,
        "slots": [m.nbytes + v.nbytes for _, m, v in found["states"]],
        "bytes": sum(message.nbytes for message in found["sent"][0]) // steps,
        "accuracy": accuracy(weights, data["test_x"], data["test_y"]),
    }
