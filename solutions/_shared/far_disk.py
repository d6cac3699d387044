# @title A far disk, and a device at work (run this; open it to see how it works)
# Files that take long to read, a device that computes on them, and notes of who worked when.
import tempfile
import time

import numpy as np
import tensorflow as tf


class FarDisk:
    """`count` files of 800 rows; reading one takes twice as long as the device's step on it."""

    def __init__(self, rows, count=12):
        self.rows = np.float32(rows[:800])
        self.events = []
        self.folder = tempfile.TemporaryDirectory()  # goes with this object
        self.wide = tf.random.stateless_normal([64, 1000], [0, 0]) / 30
        for number in range(count):
            np.save(f"{self.folder.name}/{number}.npy", np.roll(self.rows, number, axis=0))
        self.compute = tf.function(self.step)
        tried = [self.timed(self.rows) for _ in range(6)][1:]
        self.seconds = min(end - begin for begin, end in tried)

    def step(self, rows):
        """The device's work on the rows of a file."""
        for _ in range(10):
            rows = tf.tanh(tf.matmul(tf.matmul(rows, self.wide), tf.transpose(self.wide)))
        return tf.reduce_sum(rows)

    def timed(self, rows):
        """Do a step; when it began, and when it ended."""
        begin = time.monotonic()
        float(self.compute(tf.constant(rows)))
        return begin, time.monotonic()

    def read(self, number):
        """The rows of a file, after a wait."""
        begin = time.monotonic()
        time.sleep(2 * self.seconds)
        rows = np.load(f"{self.folder.name}/{number}.npy")
        self.events.append((begin, time.monotonic(), str(number), 0))
        return rows

    def load(self, number):
        """The same for tf.data's `map`."""
        return tf.ensure_shape(tf.numpy_function(self.read, [number], tf.float32), [800, 64])

    def consume(self, dataset):
        """Do a step on all that a dataset brings; {"read": pieces of work, "device": pieces of
        work} for draw_lanes.
        """
        self.events.clear()
        steps = []
        origin = time.monotonic()
        for number, rows in enumerate(dataset):
            steps.append((*self.timed(rows), str(number), 1))
        lanes = {}
        for name, pieces in (("read", self.events), ("device", steps)):
            moved = [
                (begin - origin, end - origin, label, kind) for begin, end, label, kind in pieces
            ]
            lanes[name] = sorted(moved)
        return lanes
