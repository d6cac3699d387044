# @title Training digits with fewer bytes (run this; open it to see how it works)
# Trains with another way to bring the gradients together; counts bytes, and looks whether replicas drift.
import numpy as np
import tensorflow as tf
from solutions._shared.ring_network import accuracy
from solutions._shared.ring_sharding import all_gather, digits_in_threads


def digits_by_sums(all_reduce, data, steps, n=3, rate=0.3):
    """Train the digits with n threads, by gradient descent with sums of `all_reduce`; see trained_digits."""

    def change(i, n, send, recv, weights, gradient, state):
        total = all_reduce(i, n, send, recv, gradient)
        return weights - np.float32(rate / n) * total, state

    return trained_digits(change, data, steps, n)


def digits_by_largest(top_k, k, data, steps, n=3, rate=0.3, keep=True):
    """The same, where each worker sends the k entries that `top_k` chooses, and what is left stays for the next step.

    Args:
        keep: bool; False: what is left is forgotten.
    """

    def change(i, n, send, recv, weights, gradient, left):
        places, values, left = top_k(gradient, k, left if keep else None)
        places = all_gather(i, n, send, recv, np.int32(places))
        values = all_gather(i, n, send, recv, np.float32(values))
        total = np.zeros_like(weights)
        np.add.at(total, places, values)  # adds twice where two workers send the same place
        return weights - np.float32(rate / n) * total, left

    return trained_digits(change, data, steps, n)


def trained_digits(change, data, steps, n):
    """What becomes of the digits by `change`, as figures.

    Returns:
        dict: "bytes", sent by worker 0 in a step; "accuracy" on the test, of worker 0; "apart", the largest difference
            between weights of two workers; "errors", the texts of those that there are.
    """
    found = digits_in_threads(change, n, data, steps)
    errors = [error for error in found["errors"] if error]
    if errors:
        return {"errors": errors}
    first = found["weights"][0]
    return {
        "bytes": sum(message.nbytes for message in found["sent"][0]) // steps,
        "accuracy": accuracy(found["networks"][0], data["test_x"], data["test_y"]),
        "apart": max(float(np.abs(other - first).max()) for other in found["weights"]),
        "errors": [],
    }


def show_digits(found):
    """Print what trained_digits says of each of {name: a dict of it}."""
    print(f"{'':24}{'bytes a step':>13}{'accuracy':>10}{'apart':>10}")
    for name, it in found.items():
        figures = it["errors"] or f"{it['bytes']:>13,}{it['accuracy']:>10.3f}{it['apart']:>10.0e}"
        print(f"{name:24}{figures}")


def in_16_bits(array):
    """An array of bfloat16 with the nearest values."""
    return np.asarray(array).astype(tf.bfloat16.as_numpy_dtype)
