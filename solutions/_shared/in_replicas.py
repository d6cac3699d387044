# @title In replicas (run this; open it to see how it works)
# Makes a MirroredStrategy with so many replicas, and runs one function in all of them.
import numpy as np
import tensorflow as tf


def mirrored(count=None):
    """A strategy with `count` replicas on logical CPUs.

    Without a count it takes up to four. One device adds for all: so several strategies may live in
    one process, one after the other.
    """
    tf.get_logger().setLevel("ERROR")  # each strategy would say how it adds
    cpus = [cpu.name for cpu in tf.config.list_logical_devices("CPU")]
    one_adds = tf.distribute.ReductionToOneDevice()
    return tf.distribute.MirroredStrategy(cpus[: count or 4], cross_device_ops=one_adds)


def run_in_replicas(function, w, shares, rate, clip):
    """[[weights, loss] of each replica]: replica i calls `function` with w and the rows
    shares[i] = (x, y).
    """
    strategy = mirrored(len(shares))

    def of_replica(which):
        values = [np.asarray(share[which], np.float32) for share in shares]
        if which == 0:
            values = [value.reshape(-1, len(w)) for value in values]
        return strategy.experimental_distribute_values_from_function(
            lambda context: tf.constant(values[context.replica_id_in_sync_group])
        )

    @tf.function
    def step(x, y):
        return strategy.run(function, (tf.constant(w, tf.float32), x, y, rate, clip))

    # the class's own: the function has the strategy, too
    local = tf.distribute.Strategy.experimental_local_results
    results = [local(strategy, value) for value in step(of_replica(0), of_replica(1))]
    return [[weights.numpy(), float(loss)] for weights, loss in zip(*results, strict=True)]
