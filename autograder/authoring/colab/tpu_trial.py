"""What TensorFlow for the TPU does on a machine without a chip. Runs in an environment that has it, once per question.

python tpu_trial.py QUESTION GET_STRATEGY    the answer in one line; GET_STRATEGY is the text of that shared cell
"""

import os
import sys
from typing import Any

import libtpu

os.environ["PJRT_DEVICE"] = "TPU"
os.environ["NEXT_PLUGGABLE_DEVICE_USE_C_API"] = "true"
os.environ["TF_PLUGGABLE_DEVICE_LIBRARY_PATH"] = libtpu.get_library_path()
import tensorflow as tf  # noqa: E402


def resolve(address: str) -> dict[str, int]:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=address)
    found: dict[str, int] = resolver.num_accelerators()
    return found


question, text = sys.argv[1:]
cell: dict[str, Any] = {"__name__": "__main__"}
exec(text, cell)
try:
    if question == "import":
        print("version", tf.__version__, float(tf.reduce_sum(tf.ones([2, 3]) @ tf.ones([3, 2]))))
    elif question == "strategy":
        cell["get_strategy"]()
    elif question.startswith("resolve "):
        print(resolve(question.removeprefix("resolve ")))
    elif question.startswith("find "):
        print(cell["find_tpu"](question.removeprefix("find ")))
except (ValueError, RuntimeError, tf.errors.OpError) as error:
    print(f"{type(error).__name__}: {error}")
