# @title Trials of training steps (run this; open it to see how it works)
"""Training steps to measure: their data, and what a function makes of the card when it is tried."""

import gc
import time

import numpy as np
import tensorflow as tf
from solutions._shared.memory_card import CARD_MIB, MIB, in_use, peak_of, tensor_of
from tensorflow.python.framework import op_callbacks  # not public: only for looking

PIECE_MIB = 4  # of what fills the card
GRAIN_MIB = 0.25  # of a step that only takes memory: a large tensor takes a whole hole of less than twice its size
BALLAST_MIB = 30  # lies on the card during a search: what was there before must not count


def example_data(examples, layers=16, width=256, seed=0):
    """Weights (a list), inputs and targets: float32 arrays."""
    rng = np.random.default_rng(seed)
    weights = [rng.normal(0, 0.06, (width, width)).astype("float32") for _ in range(layers)]
    x, y = rng.normal(size=(2, examples, width)).astype("float32")
    return weights, x, y


def peaks_of(plain, function, examples, sizes, few):
    """MiB at the peak of the plain step, then of `function` with each of `sizes`.

    `few` is (layers, size) of a small trial, with 12 examples.

    Infinite where a card with hardly more left than that is too small for it; NaN where it returns the
    plain step's gradients for a few examples, and others for so many.
    """
    weights, x, y = data = example_data(examples)
    layers = sum(weight.nbytes for weight in weights) + (len(weights) + 1) * x.nbytes
    right, same = [], []
    peaks = [peak_of(lambda *given: right.extend(map(np.array, plain(*given))), *data)]
    peaks[0] = min(peaks[0], 3 * layers / MIB)  # whatever else ran meanwhile, no step takes more
    those = example_data(12, few[0], width=3)
    is_right = are_alike(function(*those, few[1]), plain(*those))

    def tried(size):
        result = function([weight.copy() for weight in weights], x.copy(), y.copy(), size)
        same.append(not is_right or are_alike(result, right))

    for size in sizes:
        peak = peak_of(tried, size)
        is_less = peak < 0.9 * peaks[0]  # else there is nothing to hide
        fits = not is_less or fits_into((peak + peaks[0]) / 2, tried, size)
        peaks.append(float("nan") if not all(same) else peak if fits else float("inf"))
    return peaks


def are_alike(arrays, others):
    """Whether two lists hold the same arrays, but for rounding."""
    if type(arrays) is not list or list(map(np.shape, arrays)) != list(map(np.shape, others)):
        return False
    pairs = zip(map(np.asarray, arrays), map(np.asarray, others), strict=True)
    return all(np.linalg.norm(one - other) <= 0.01 * np.linalg.norm(other) for one, other in pairs)


def fits_into(mib, function, *arguments):
    """Whether a call comes to its end while no more than `mib` MiB of the card are left."""
    gc.collect()
    ballast = []
    while in_use() < (CARD_MIB - mib) * MIB:
        ballast.append(tensor_of(PIECE_MIB))
    try:
        function(*arguments)
        return True
    except tf.errors.ResourceExhaustedError:
        return False
    finally:
        ballast.clear()


def rows_at_once(function, examples, size):
    """How many examples each product of matrices has: a sorted list, without repetitions.

    It is empty where a graph leaves that number open.
    """
    width = 3
    rows = set()

    def look(op_type, inputs, attrs, outputs, op_name=None, graph=None):
        kind = tf.compat.as_str(op_type)  # bytes, where a call was given a list
        if "MatMul" in kind or kind == "Einsum":
            shapes = [one.shape.as_list() for one in inputs if one.shape.rank]
            rows.add(max((n or 0 for shape in shapes for n in shape), default=0))

    op_callbacks.add_op_callback(look)
    try:
        function(*example_data(examples, layers=2, width=width), size)
    finally:
        op_callbacks.remove_op_callback(look)
    return sorted(n for n in rows if n > width)


def changed_arguments(function, examples):
    """Names of the arguments that a call of `function` writes into."""
    weights, x, y = example_data(examples, layers=2, width=3)
    before = [np.array(weights), x.copy(), y.copy()]
    function(weights, x, y, 2)
    changed = []
    for name, now, then in zip(("weights", "x", "y"), (weights, x, y), before, strict=True):
        if len(now) != len(then) or not np.array_equal(np.array(now), then):
            changed.append(name)
    return changed


def settle():
    """Wait until nothing is given back any more: what threads of tf.data hold goes a moment later."""
    gc.collect()
    last, end = None, time.monotonic() + 1
    while in_use() != last and time.monotonic() < end:
        last = in_use()
        time.sleep(0.05)


def take(mib):
    """Take so many MiB of the card, in small pieces, and give them back."""
    grains, rest = divmod(mib, GRAIN_MIB)
    return len([tensor_of(piece) for piece in [GRAIN_MIB] * int(grains) + [rest]])


def searched(function, kib_per_example, kib_always, limit, step, most, just=None, bend=0):
    """Let `function` search where a step takes so many KiB.

    `bend` more for each example times the number of examples: no straight line.
    With `just`, the limit is just the peak of that batch, as measured.
    Returns a dict: the "batch" that it found, and the batches that it "tried".
    """
    settle()
    ballast = tensor_of(BALLAST_MIB)
    tried = []

    def train_on(examples):
        tried.append(int(examples))
        take((kib_per_example * examples + bend * examples**2 + kib_always) / 1024)

    if just is not None:
        limit = peak_of(train_on, just)
        tried.clear()
    batch = function(train_on, limit, step, most)
    del ballast
    return {"batch": batch, "tried": tried}


def searched_training(function, plain, between, step, most):
    """Let `function` search with a real training step.

    The limit lies in the middle between the measured peaks of the two batches `between`.
    Returns a dict: the "batch" that it found, and the "limit" in MiB.
    """
    weights, x, y = example_data(most)  # made beforehand: what is measured is the step

    def train_on(examples):
        plain(weights, x[:examples], y[:examples])

    train_on(most)  # the very first run also makes things that stay
    limit = sum(peak_of(train_on, examples) for examples in between) / 2
    ballast = tensor_of(BALLAST_MIB)
    batch = function(train_on, limit, step, most)
    del ballast
    return {"batch": batch, "limit": limit}
