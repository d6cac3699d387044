# @title All-reduce, three ways
import tensorflow as tf


def device(i):
    return f"/device:CPU:{i}"


def naive(parts):
    """All send to device 0. It adds, and sends the sum to all."""
    with tf.device(device(0)):
        total = tf.add_n(parts)
    sums = []
    for i in range(len(parts)):
        with tf.device(device(i)):
            sums.append(tf.identity(total))
    return sums


def tree(parts):
    """Pairs add, then pairs of pairs. The sum goes back the same way."""
    n = len(parts)
    sums = list(parts)
    step = 1
    while step < n:  # up: i gets from i + step
        for i in range(0, n - step, 2 * step):
            with tf.device(device(i)):
                sums[i] = sums[i] + sums[i + step]
        step *= 2
    while step > 1:  # down: the same pairs, backwards
        step //= 2
        for i in range(0, n - step, 2 * step):
            with tf.device(device(i + step)):
                sums[i + step] = tf.identity(sums[i])
    return sums


def pass_on(chunks, i, to, c, adds):
    """Device i sends its chunk c to device `to`, which adds it to its own or replaces its own."""
    with tf.device(device(to)):
        if adds:
            chunks[to][c] = chunks[i][c] + chunks[to][c]
        else:
            chunks[to][c] = tf.identity(chunks[i][c])


def ring(parts, history=None):
    """Each device sends one chunk to the next: n - 1 times the receiver adds, n - 1 times it
    replaces.
    """
    n = len(parts)
    chunks = []
    for i, part in enumerate(parts):
        with tf.device(device(i)):
            chunks.append(tf.split(part, n))
    for step in range(2 * (n - 1)):
        for i in range(n):
            pass_on(chunks, i, (i + 1) % n, (i - step) % n, adds=step < n - 1)
        if history is not None:
            history.append([list(mine) for mine in chunks])
    return chunks
