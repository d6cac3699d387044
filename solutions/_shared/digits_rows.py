# @title Handwritten digits
# 1797 pictures of 8×8 pixels, which come with scikit-learn: no download.
import numpy as np
import sklearn.datasets


def digits(split=0):
    """500 rows to train, 300 to validate, 997 to test: each an array of rows and one of labels.

    Args:
        split: int; another number cuts the same digits in another way.
    Returns:
        tuple: (train, validation, test), each (float32 [n, 64] from 0 to 1, int [n]).
    """
    data = sklearn.datasets.load_digits()
    order = np.random.default_rng(split).permutation(len(data.target))
    x = (data.data[order] / 16).astype("float32")
    y = data.target[order]
    return (x[:500], y[:500]), (x[500:800], y[500:800]), (x[800:], y[800:])
