# @title A card of 512 MiB (run this; open it to see how it works)
"""A card that can be measured and filled, on every machine.

On a GPU, TensorFlow manages memory with its BFC allocator. Two environment variables make the CPU
device use the same code, with a limit. They count only before the first op. GPUs are hidden from
this kernel, so that everybody measures the same.
"""

import gc
import os

import numpy as np
import tensorflow as tf

CARD_MIB = 512  # include: mib
MIB = 2**20
CARD = {}  # "start": where the card's memory begins, once it has been claimed


class NoCard(Exception):
    """Its message is for people, so it is shown without a traceback."""

    def _render_traceback_(self):
        return [f"NoCard: {self}"]


def claim_card():
    """Take the card in one piece and give it back: a single free chunk. A second call changes
    nothing.
    """
    if CARD:
        return
    os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"
    os.environ["TF_CPU_BFC_MEM_LIMIT_IN_MB"] = str(CARD_MIB + 2)
    try:
        tf.config.set_visible_devices([], "GPU")
        cpu = tf.config.list_physical_devices("CPU")[0]  # refused once TensorFlow has started:
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])
    except (ValueError, RuntimeError):
        raise NoCard(
            "TensorFlow already ran an op in this kernel, so it has no card. Restart the kernel "
            "and run the cells from the top."
        ) from None
    CARD["start"] = address(tensor_of(CARD_MIB))  # the 2 MiB more are a region of their own
    print(f"A card of {CARD_MIB} MiB, {in_use()} bytes in use.")


def in_use(what="current"):
    """Bytes of the card that tensors take now, or took at most ("peak") since forget_peak()."""
    return tf.config.experimental.get_memory_info("CPU:0")[what]


def forget_peak():
    """Begin to count the peak anew."""
    tf.config.experimental.reset_memory_stats("CPU:0")


def peak_of(function, *arguments):
    """The most that a call takes of the card, in MiB, beside what lay there before."""
    gc.collect()  # functions that TensorFlow has traced go only then, and their tensors with them
    before = in_use()
    forget_peak()
    function(*arguments)
    return (in_use("peak") - before) / MIB


def tensor_of(mib):
    """A tensor of `mib` MiB without any values; it lies on the card as long as a Python name
    holds it.
    """
    return tf.raw_ops.Empty(shape=[int(mib * MIB) // 4], dtype=tf.float32)


def address(tensor):
    """Where a tensor's values begin, as the processor counts."""
    return np.asarray(tensor).__array_interface__["data"][0]


def places(tensors):
    """{name: (offset, size)} in MiB on the card, of a dict of tensors."""
    found = {}
    for name, tensor in tensors.items():
        offset = (address(tensor) - CARD["start"]) / MIB
        found[name] = (offset, tensor.shape.num_elements() * tensor.dtype.size / MIB)
    return found
