#@title A card of 512 MiB (run this; open it to see how it works)
# On a GPU, TensorFlow manages memory with its BFC allocator. Two environment variables make the CPU device use the same
# code, with a limit. So every machine has a card that can be measured and filled. They count only before the first op.
# GPUs are hidden from this kernel, so that everybody measures the same.
import os
import numpy as np
import tensorflow as tf

CARD_MIB = 512  # include: mib
MIB = 2**20


class NoCard(Exception):
    """Its message is for people, so it is shown without a traceback."""

    def _render_traceback_(self):
        return [f"NoCard: {self}"]


def in_use(what="current"):
    """Bytes of the card that tensors take now, or took at most ("peak") since forget_peak()."""
    return tf.config.experimental.get_memory_info("CPU:0")[what]


def forget_peak():
    tf.config.experimental.reset_memory_stats("CPU:0")


def tensor_of(mib):
    """A tensor of `mib` MiB without any values; it lies on the card as long as a Python name holds it."""
    return tf.raw_ops.Empty(shape=[int(mib * MIB) // 4], dtype=tf.float32)


def address(tensor):
    """Where a tensor's values begin, as the processor counts."""
    return np.asarray(tensor).__array_interface__["data"][0]


def places(tensors):
    """{name: (offset, size)} in MiB on the card, of a dict of tensors."""
    return {name: ((address(tensor) - CARD_START) / MIB, tensor.shape.num_elements() * tensor.dtype.size / MIB)
            for name, tensor in tensors.items()}


def claim_card():
    """Take the card in one piece and give it back: a single free chunk. Returns its address."""
    os.environ["TF_CPU_ALLOCATOR_USE_BFC"], os.environ["TF_CPU_BFC_MEM_LIMIT_IN_MB"] = "1", str(CARD_MIB + 2)
    try:
        tf.config.set_visible_devices([], "GPU")
        in_use()
    except (ValueError, RuntimeError):
        raise NoCard("TensorFlow already ran an op in this kernel, so it has no card. Restart the kernel and run the "
                     "cells from the top.") from None
    return address(tensor_of(CARD_MIB))  # the 2 MiB more are a region of their own, for small things


CARD_START = globals().get("CARD_START") or claim_card()  # running this cell again changes nothing
print(f"A card of {CARD_MIB} MiB, {in_use()} bytes in use.")
