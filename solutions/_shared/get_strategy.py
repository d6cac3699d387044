# @title Get a strategy (run this; open it to see how it works)
# Finds a TPU, or else GPUs, or else the logical CPU devices, and says which. It asks before it
# connects: connecting to a machine that is not there would hang for minutes.
import os
import socket

import tensorflow as tf

SECONDS = 3  # that a TPU's host has to answer
# how every gRPC client begins: HTTP/2's greeting, and a frame with no settings
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def answers(address):
    """Whether a gRPC server, not just any program, answers at 'grpc://host:port'."""
    host, _, port = address.removeprefix("grpc://").rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=SECONDS) as connection:
            connection.sendall(HELLO)
            # a server of HTTP/2 sends its settings first: the fourth byte is the kind of frame
            return connection.recv(9)[3:4] == b"\x04"
    except (OSError, ValueError, OverflowError):
        return False


def find_tpu(address):
    """(resolver, "") for a TPU with at least one core; else (None, the reason why not)."""
    if address != "local" and not address.startswith("grpc://"):
        return None, f"{address!r} is neither 'local' nor 'grpc://host:port'"
    if address != "local" and not answers(address):
        return None, f"no TPU host answers at {address}"
    try:
        return connected(tf.distribute.cluster_resolver.TPUClusterResolver(tpu=address), address)
    except (tf.errors.OpError, RuntimeError, ValueError) as error:
        return None, f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"


def connected(resolver, address):
    """As find_tpu, for a resolver: connects and initialises if there is a core."""
    cores = resolver.num_accelerators().get("TPU", 0)
    if not cores:  # to initialise then could end this process
        return None, "TensorFlow sees no TPU core"
    if address != "local":
        tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return resolver, ""


def names_of(kind):
    """The names of all logical devices of a kind, "CPU" or "GPU"."""
    return [device.name for device in tf.config.list_logical_devices(kind)]


def cpu_strategy(replicas):
    """A strategy with so many replicas, each on a logical CPU device of its own."""
    tf.get_logger().setLevel("WARNING")  # its INFO lines say which devices, once more
    # one process sums for all: several strategies may then live in it, one after the other
    sums = tf.distribute.ReductionToOneDevice()
    return tf.distribute.MirroredStrategy(names_of("CPU")[:replicas], cross_device_ops=sums)


def get_strategy(tpu=None):
    """The best strategy that this machine allows. It prints what it chose, and why not the others.

    `tpu` is "local" (a TPU in this machine, the default) or "grpc://host:port"; the environment
    variable TPU_NAME may say so, too.
    """
    tf.get_logger().setLevel("WARNING")  # its INFO lines repeat what this function prints
    resolver, reason = find_tpu(tpu or os.environ.get("TPU_NAME") or "local")
    if resolver:
        strategy = tf.distribute.TPUStrategy(resolver)
        chosen = "TPU cores"
    elif names_of("GPU"):
        strategy = tf.distribute.MirroredStrategy(names_of("GPU"))
        chosen = f"GPU; no TPU: {reason}"
    else:
        strategy = cpu_strategy(len(names_of("CPU")))
        chosen = f"logical CPU; no TPU: {reason}; no GPU"
    kind = type(strategy).__name__
    print(f"{kind}, replicas: {strategy.num_replicas_in_sync}, on: {chosen}")
    return strategy
