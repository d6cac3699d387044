# @title A small network for digits
from functools import lru_cache

import numpy as np
import tensorflow as tf

SIZE = 64 * 32 + 32 * 10  # 64 inputs, 32 hidden units, 10 outputs


@lru_cache
def digits_data():
    """(train x, train y, test x, test y): 1500 and 297 handwritten digits of 8 x 8 pixels."""
    from sklearn.datasets import load_digits

    pixels, digits = load_digits(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(pixels))
    x = pixels[order].astype(np.float32) / 16
    y = digits[order].astype(np.int32)
    return x[:1500], y[:1500], x[1500:], y[1500:]


def loss_of(w, x, y):
    """Mean loss of the network whose weights are all in the vector w."""
    hidden = tf.nn.relu(x @ tf.reshape(w[:2048], [64, 32]))
    logits = hidden @ tf.reshape(w[2048:], [32, 10])
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    return tf.reduce_mean(losses)


def start(seed):
    """First weights: as large as the layers' widths ask for."""
    random = np.random.RandomState(seed)
    parts = [random.normal(size=2048) / 6, random.normal(size=320) / 6]
    return np.float32(np.concatenate(parts))


@tf.function
def update(w, x, y, rate):
    """The weights after a step of SGD."""
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = loss_of(w, x, y)
    return w - rate * tape.gradient(loss, w)


def trained(batch, rate, updates, seed):
    """The test loss after so many updates with batches of `batch` rows, on one device."""
    train_x, train_y, test_x, test_y = digits_data()
    w = tf.constant(start(seed))
    random = np.random.RandomState(seed)
    for _ in range(updates):
        rows = random.randint(len(train_x), size=batch)
        w = update(w, train_x[rows], train_y[rows], rate)
    return float(loss_of(w, test_x, test_y))
