#@title Get a strategy (run this; open it to see how it works)
# Finds a TPU, or else GPUs, or else the logical CPU devices, and says which. It asks before it connects: connecting to
# a machine that is not there would hang for minutes.
import os, socket
import tensorflow as tf

tf.get_logger().setLevel("WARNING")  # its INFO lines repeat what get_strategy prints
SECONDS = 3  # that a TPU's host has to answer
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # how every gRPC client begins


def answers(address):
    """Whether a gRPC server, not just any program, answers at 'grpc://host:port'."""
    host, _, port = address.removeprefix("grpc://").rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=SECONDS) as connection:
            connection.sendall(HELLO)
            return connection.recv(9)[3:4] == b"\x04"  # its settings, the first thing that a server sends
    except (OSError, ValueError, OverflowError):
        return False


def find_tpu(address):
    """(resolver, "") for a TPU with at least one core; else (None, the reason why not)."""
    if address != "local" and not address.startswith("grpc://"):
        return None, f"{address!r} is neither 'local' nor 'grpc://host:port'"
    if address != "local" and not answers(address):
        return None, f"no TPU host answers at {address}"
    try:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=address)
        cores = resolver.num_accelerators().get("TPU", 0)  # to initialise without any core can end the process
        if cores and address != "local":
            tf.config.experimental_connect_to_cluster(resolver)
        if cores:
            tf.tpu.experimental.initialize_tpu_system(resolver)
        return (resolver, "") if cores else (None, "TensorFlow sees no TPU core")
    except (tf.errors.OpError, RuntimeError, ValueError) as error:
        return None, f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"


def get_strategy(tpu=None):
    """The best strategy that this machine allows. It prints what it chose, and why not the others.

    `tpu` is "local" (a TPU in this machine, the default) or "grpc://host:port"; the variable TPU_NAME may say so too.
    """
    resolver, reason = find_tpu(tpu or os.environ.get("TPU_NAME") or "local")
    gpus, cpus = ([device.name for device in tf.config.list_logical_devices(kind)] for kind in ("GPU", "CPU"))
    if resolver:
        strategy, chosen = tf.distribute.TPUStrategy(resolver), "TPU cores"
    elif gpus:
        strategy, chosen = tf.distribute.MirroredStrategy(gpus), f"GPU; no TPU: {reason}"
    else:  # one process sums for all: several strategies may then live in it, one after the other
        strategy = tf.distribute.MirroredStrategy(cpus, cross_device_ops=tf.distribute.ReductionToOneDevice())
        chosen = f"logical CPU; no TPU: {reason}; no GPU"
    print(f"{type(strategy).__name__}, replicas: {strategy.num_replicas_in_sync}, on: {chosen}")
    return strategy
