# @title Quiet start (run this first)
# Imports what lessons use without TensorFlow's red start-up lines, makes this lesson's logical CPU devices,
# seeds, and reports the machine. Real errors and placement logs stay visible.
import contextlib
import ctypes
import logging
import os
import pathlib
import platform
import random
import shutil
import sys

DEVICES = 1  # include: devices
HIDE_GPUS = True  # include: hide_gpus
SEED = 0  # include: seed


class CannotStart(Exception):
    """Its message is for people, so it is shown without a traceback."""

    def _render_traceback_(self):
        return [f"CannotStart: {self}"]


def quiet_import():
    """Import with file descriptor 2 on the null device, since C++ writes there, past sys.stderr."""
    os.environ.setdefault(
        "TF_CPP_MIN_LOG_LEVEL", "2"
    )  # 1 shows each raised error twice; 3 hides errors
    if HIDE_GPUS:  # this lesson shows CPUs; what has no pin would run on a GPU, here and in processes that it starts
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    logging.getLogger("matplotlib.font_manager").setLevel(
        logging.ERROR
    )  # "building the font cache", once
    saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        import matplotlib.pyplot
        import numpy
        import tensorflow

        pass_on_log_level(tensorflow)
        tensorflow.config.list_physical_devices()  # its complaint that there is no GPU is not news
        return tensorflow, numpy, matplotlib.pyplot
    except ImportError as error:
        raise CannotStart(
            f"{error}: this Python ({sys.executable}) lacks what this lesson needs. Open it with "
            "`make lab`, or choose the course's kernel (in Colab, a CPU or GPU runtime). Then run "
            "this cell again."
        ) from None
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)


def pass_on_log_level(tensorflow):
    """TensorFlow 2.20 (Colab's) does not tell TF_CPP_MIN_LOG_LEVEL to the library that logs for it; 2.21 does."""
    function = (
        "_ZN4absl12lts_2025012714SetMinLogLevelENS0_18LogSeverityAtLeastE"  # its name in 2.20 alone
    )
    for library in pathlib.Path(tensorflow.__file__).parent.glob("libtensorflow_cc.*"):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            ctypes.CDLL(str(library))[function](int(os.environ["TF_CPP_MIN_LOG_LEVEL"]))


def counted(number, what):
    return f"{number or 'no'} {what}{'' if number < 2 else 's'}"


def machine_line(tf):
    """Versions and devices in one line, to read and to paste when you ask for help."""
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count()
    cards = [counted(len(tf.config.list_physical_devices(kind)), kind) for kind in ("GPU", "TPU")]
    if HIDE_GPUS and shutil.which("nvidia-smi"):
        cards[0] = "GPUs hidden"
    python = ".".join(platform.python_version_tuple()[:2])
    devices = f"{counted(cores, 'CPU core')}, {counted(DEVICES, 'logical CPU device')}"
    return " · ".join([f"TensorFlow {tf.__version__}", f"Python {python}", devices, *cards])


def make_devices(tf):
    """Split the CPU into this lesson's logical devices, before TensorFlow has used it."""
    cpu = tf.config.list_physical_devices("CPU")[0]
    if len(tf.config.get_logical_device_configuration(cpu) or [cpu]) == DEVICES:
        return
    device = tf.config.LogicalDeviceConfiguration()
    try:
        tf.config.set_logical_device_configuration(cpu, [device] * DEVICES)
    except RuntimeError:
        raise CannotStart(
            f"This lesson needs {DEVICES} logical CPU devices, but TensorFlow already runs with "
            "another number. Restart the kernel and run this cell first."
        ) from None


if "tensorflow" not in sys.modules:
    print("Loading TensorFlow; this takes some seconds ...")
tf, np, plt = quiet_import()
make_devices(tf)
random.seed(SEED)
np.random.seed(SEED)
tf.random.set_seed(SEED)
print("Ready:", machine_line(tf))
