# @title The network that the ring trains
import numpy as np
import tensorflow as tf


def first_weights(seed=0, hidden=64):
    """Weights and biases of a network for digits: 64 inputs, a hidden layer, 10 outputs."""
    random = np.random.RandomState(seed)
    shapes = [(64, hidden), (hidden,), (hidden, 10), (10,)]
    return [np.float32(random.normal(size=shape) / 8) for shape in shapes]


def losses(weights, x, y):
    """The loss of each row, a vector of as many as there are rows: no mean."""
    w1, b1, w2, b2 = weights
    logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)


def accuracy(weights, x, y):
    """Share of the rows whose digit the network says."""
    w1, b1, w2, b2 = weights
    logits = np.maximum(x @ w1 + b1, 0) @ w2 + b2
    return float(np.mean(logits.argmax(axis=1) == y))


def digit_batches(steps, size=60, seed=0, rows=1500):
    """The rows of each global batch: a list of lists."""
    random = np.random.RandomState(seed)
    return [random.randint(rows, size=size).tolist() for _ in range(steps)]
