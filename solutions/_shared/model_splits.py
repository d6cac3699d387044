# @title Models, cut in several ways
import itertools

import tensorflow as tf
from solutions._shared.all_reduces import device, naive


def weights(name, shape):
    """A variable whose columns add up to 1, on the device of the scope around it."""
    initializer = tf.constant_initializer(1 / shape[0])
    return tf.compat.v1.get_variable(name, shape, initializer=initializer)


def by_layers(widths, rows):
    """Cut between layers: the variables of layer k on device k."""
    with tf.Graph().as_default() as graph:
        with tf.device(device(0)):
            h = tf.ones([rows, widths[0]], name="x")
        for k, shape in enumerate(itertools.pairwise(widths)):
            with tf.device(device(k % 4)):
                h = tf.matmul(h, weights(f"w{k}", shape), name=f"layer{k}")
    return graph, [h]


def by_columns(widths, rows, n=2):
    """Each matrix cut by columns: before each layer, every device needs the parts of all others."""
    with tf.Graph().as_default() as graph:
        parts = []
        for i in range(n):
            with tf.device(device(i)):
                parts.append(tf.ones([rows, widths[0] // n], name=f"x{i}"))
        for k, (before, after) in enumerate(itertools.pairwise(widths)):
            new = []
            for i in range(n):
                with tf.device(device(i)):
                    w = weights(f"w{k}_{i}", [before, after // n])
                    new.append(tf.matmul(tf.concat(parts, 1), w, name=f"layer{k}_{i}"))
            parts = new
    return graph, parts


def by_pairs(widths, rows, n=2):
    """Two layers at a time: the first by columns, the second by rows; then an all-reduce adds
    up.
    """
    with tf.Graph().as_default() as graph:
        whole = []
        for i in range(n):
            with tf.device(device(i)):
                whole.append(tf.ones([rows, widths[0]], name=f"x{i}"))
        for k in range(0, len(widths) - 1, 2):
            before, between, after = widths[k : k + 3]
            sums = []
            for i in range(n):
                with tf.device(device(i)):
                    columns = weights(f"w{k}_{i}", [before, between // n])
                    part = tf.matmul(whole[i], columns, name=f"layer{k}_{i}")
                    half = weights(f"w{k + 1}_{i}", [between // n, after]) / n
                    sums.append(tf.matmul(part, half, name=f"layer{k + 1}_{i}"))
            whole = naive(sums)  # section 1; for two devices it moves as much as a ring
    return graph, whole


def pipeline(widths, rows, micro):
    """Cut between layers, and the batch into micro-batches, which never wait for each other."""
    with tf.Graph().as_default() as graph:
        with tf.device(device(0)):
            parts = tf.split(tf.ones([rows, widths[0]], name="x"), micro)
        for k, shape in enumerate(itertools.pairwise(widths)):
            with tf.device(device(k)):
                w = weights(f"w{k}", shape).read_value()
                parts = [tf.matmul(part, w, name=f"layer{k}_{m}") for m, part in enumerate(parts)]
    return graph, parts


def split_convolution(upper, lower, kernel):
    """A convolution with a 5 x 5 kernel: the picture's upper half on device 0, the lower on
    device 1.
    """
    sides = [[0, 0], [0, 0], [2, 2], [0, 0]]
    with tf.device(device(0)):
        edge_of_upper = upper[:, -2:]  # two rows, cut out where they lie, then sent
    with tf.device(device(1)):
        edge_of_lower = lower[:, :2]
    with tf.device(device(0)):
        rows = tf.concat([tf.zeros_like(edge_of_upper), upper, edge_of_lower], 1)
        first = tf.nn.conv2d(rows, kernel, 1, sides, name="upper")
    with tf.device(device(1)):
        rows = tf.concat([edge_of_upper, lower, tf.zeros_like(edge_of_lower)], 1)
        second = tf.nn.conv2d(rows, kernel, 1, sides, name="lower")
    return first, second


def deep_rnn(layers, times, rows=128, width=512):
    """A recurrent net with layer l on device l."""
    with tf.Graph().as_default() as graph:
        cells = []
        for layer in range(layers):
            with tf.device(device(layer)):
                cells.append(weights(f"cell{layer}", [width, width]).read_value())
        states = [tf.zeros([rows, width])] * layers
        for t in range(times):
            below = tf.ones([rows, width])
            for layer in range(layers):
                with tf.device(device(layer)):
                    both = below + states[layer]
                    product = tf.matmul(both, cells[layer], name=f"cell{layer}_{t}")
                    below = states[layer] = tf.tanh(product, name=f"state{layer}_{t}")
    return graph, [below]
