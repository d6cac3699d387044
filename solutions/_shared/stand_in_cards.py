# @title Stand-in cards (run this; open it to see how it works)
"""TensorFlow's rules about GPUs, asked on a machine that has none.

``tf.config`` checks what you ask in Python, from a list of the machine's cards. Here it gets such a
list with cards that do not exist. The rules are TensorFlow's own. No card is used, and nothing can
be computed on one.
"""

import contextlib

import tensorflow as tf

# Private: TensorFlow's record of its devices. There is no public way to hand it a list of cards.
from tensorflow.python.eager import context as eager


def stand_in(cards):
    """Make a fresh record of devices that lists ``cards`` GPUs.

    Returns (context, gpus): TensorFlow's own object, and the list of its physical GPUs.
    """
    gpus = [tf.config.PhysicalDevice(f"/physical_device:GPU:{i}", "GPU") for i in range(cards)]
    devices = [tf.config.PhysicalDevice("/physical_device:CPU:0", "CPU"), *gpus]
    made = eager.Context()
    made._physical_devices = devices
    made._visible_device_list = list(devices)
    made._pluggable_devices = []
    made._physical_device_to_index = {device: i for i, device in enumerate(devices)}
    made._memory_growth_map = dict.fromkeys(gpus)
    return made, gpus


def first_op(made):
    """Do what the first op does: the settings are checked as a whole, then the devices are made."""
    settings = made.config  # TensorFlow compares the cards here
    visible = made._visible_device_list
    made._visible_device_list = visible[:1]  # the real start does without the stand-ins
    made.ensure_initialized()
    made._visible_device_list = visible
    return settings


@contextlib.contextmanager
def in_charge(made):
    """Within this block, calls of ``tf.config`` are about the stand-in cards of ``made``."""
    before = eager._context
    eager._context = made
    try:
        yield
    finally:
        eager._context = before


def on_stand_ins(cards, function, *arguments):
    """Call a function that makes settings, on a machine of ``cards`` stand-in cards.

    Returns a dict: "returned", or "error" with the error's name; then what TensorFlow has been
    told: the names of the
    "visible" GPUs, how many "cpus" are visible, the "growth" of each visible GPU, and the memory
    "limits".
    """
    made, gpus = stand_in(cards)
    told = {"returned": None, "error": None}
    with in_charge(made):
        try:
            told["returned"] = function(*arguments)
        except NotImplementedError:
            raise
        except Exception as error:
            told["error"] = type(error).__name__
        visible = tf.config.get_visible_devices("GPU")
        told["visible"] = [gpu.name for gpu in visible]
        told["cpus"] = len(tf.config.get_visible_devices("CPU"))
        growth = tf.config.experimental.get_memory_growth
        told["growth"] = [gpu.name for gpu in gpus if growth(gpu)]
        told["limits"] = [
            gpu.name for gpu in gpus if tf.config.get_logical_device_configuration(gpu)
        ]
    return told
