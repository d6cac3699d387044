# @title Survive drill (run this; open it to see how it works)
"""Runs a training function on a small cluster whose worker is killed and comes back, for lesson 06."""

import threading
import time

import tensorflow as tf
from solutions._shared.local_cluster import LocalCluster


def on_ps(target, fetch, feed=None):
    """A session that waits for no worker: a graph with the two variables of the drill, and no work."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
        for name, dtype in (("w", tf.float32), ("steps", tf.int32)):
            variable = v1.get_variable(name, [], dtype, use_resource=True)
            variable.assign(v1.placeholder(dtype, [], f"new_{name}"), name=f"set_{name}")
            tf.identity(variable.read_value(), name=f"get_{name}")
        config = v1.ConfigProto(operation_timeout_in_ms=30_000, device_filters=["/job:ps"])
        with v1.Session(target, graph=graph, config=config) as session:
            return session.run(fetch, feed)


class Killer:
    """Used as `after_step`: notes the counts; after those in `kills` it kills the worker, for `back` seconds.

    Each call takes `pause` seconds. A step that comes while there is no worker was not made by it.
    """

    def __init__(self, cluster, kills, back, pause):
        self.cluster = cluster
        self.kills = list(kills)
        self.back = back
        self.pause = pause
        self.seen = []
        self.timers = []
        self.last = time.monotonic()  # when a step succeeded, or it began
        self.away = self.last  # until when there is no worker, at least
        self.without = False

    def __call__(self, count):
        self.last = time.monotonic()
        self.without |= self.last < self.away
        self.seen.append(int(count))
        time.sleep(self.pause)
        if self.kills and self.seen[-1] == self.kills[0]:
            self.kills.pop(0)
            self.cluster.kill("worker/0")
            self.away = time.monotonic() + self.back
            self.timers.append(threading.Timer(self.back, self.cluster.start, ["worker/0"]))
            self.timers[-1].start()

    def end(self):
        """Start nothing any more."""
        for timer in self.timers:
            timer.cancel()
            timer.join()


def survive_drill(train, begin, steps, kills, back=0.5, patience=30.0, pause=0.0):
    """Call train(target, steps, after_step, patience) with `w` and the count set to `begin`.

    Returns [how it ended, the counts that after_step was given, w, the count]. It ended with "returned", the error's
    name, or "a step without the worker"; a TimeoutError before patience was over is "TimeoutError too early".
    """
    ended = "returned"
    with LocalCluster({"ps": 1, "worker": 1}, name="drill") as small:
        target = small.target("ps/0")
        on_ps(target, ["set_w", "set_steps"], {"new_w:0": begin[0], "new_steps:0": begin[1]})
        killer = Killer(small, kills, back, pause)
        try:
            # a plain function: what is planned stays here
            train(target, steps, lambda count: killer(count), patience)
        except NotImplementedError:
            raise
        except Exception as error:
            ended = type(error).__name__
            if isinstance(error, TimeoutError) and time.monotonic() - killer.last < 0.9 * patience:
                ended += " too early"
        finally:
            killer.end()
        if killer.without:
            ended = "a step without the worker"
        w, count = on_ps(target, ["get_w:0", "get_steps:0"])
    return [ended, killer.seen, float(w), int(count)]
