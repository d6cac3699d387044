# @title Colab set-up (anywhere else this does nothing)
# Installs what a Colab runtime lacks, once per session. The TPU runtime comes without TensorFlow; a lesson that can use
# the TPU gets TensorFlow for it, if a chip answers. Colab is known by the class of its shell.
import glob
import importlib
import importlib.util
import os
import re
import subprocess
import sys

from IPython import get_ipython

USES_TPU = False  # include: uses_tpu
MODULES = ["tensorflow"]  # include: modules
PACKAGES = {
    "tensorflow": "tensorflow-cpu==2.20.0",
    "sklearn": "scikit-learn",
    "keras_tuner": "keras-tuner",
}
TPU_PACKAGES = [
    "tensorflow-tpu==2.20.0",
    "libtpu>=0.0.14,<0.0.30",
]  # a later libtpu ends the process at import
TPU_SECONDS = 180  # that TensorFlow has to find the chip
COUNT_CORES = """import tensorflow as tf
print("cores:", tf.distribute.cluster_resolver.TPUClusterResolver(tpu="local").num_accelerators().get("TPU", 0))"""


class ColabSetupError(Exception):
    """Its message is for people, so it is shown without a traceback."""

    def _render_traceback_(self):
        return [f"ColabSetupError: {self}"]


def run_pip(*arguments):
    """Run pip without its chatter; returns its last words if it failed."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "-q"], capture_output=True, text=True
    )
    importlib.invalidate_caches()
    return (done.stderr.strip().splitlines() or ["pip failed"])[-1][:300] if done.returncode else ""


def why_no_tpu():
    """Install TensorFlow for the TPU, try it in another process, which may crash or hang, and set its environment.

    Returns the reason where there is no TPU, else None.
    """
    run_pip("uninstall", "-y", "tensorflow", "tensorflow-cpu")  # all three would share one folder
    if trouble := run_pip("install", *TPU_PACKAGES):
        return trouble
    library = importlib.import_module("libtpu").get_library_path()
    wanted = {
        "PJRT_DEVICE": "TPU",
        "NEXT_PLUGGABLE_DEVICE_USE_C_API": "true",
        "TF_PLUGGABLE_DEVICE_LIBRARY_PATH": library,
    }
    command = [sys.executable, "-c", COUNT_CORES]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **wanted},
            capture_output=True,
            text=True,
            timeout=TPU_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"it did not answer within {TPU_SECONDS} seconds"
    cores = re.search(r"^cores: (\d+)$", done.stdout, re.MULTILINE)
    if not cores or cores[1] == "0":  # to initialise a TPU without cores would end this kernel
        return (
            "this runtime has no TPU core"
            if cores
            else f"TensorFlow's trial ended with status {done.returncode}"
        )
    os.environ.update(wanted)
    return None


def set_up_colab():
    tpu_runtime = (
        importlib.util.find_spec("libtpu")
        or glob.glob("/dev/vfio/[0-9]*")
        or glob.glob("/dev/accel*")
    )
    if tpu_runtime and USES_TPU:
        if early := [name for name in ("jax", "tensorflow") if name in sys.modules]:
            raise ColabSetupError(
                f"{early[0]} was imported before this cell ran, so the TPU cannot be prepared any "
                "more. Menu Runtime, Restart session; then run this cell first."
            )
        print("Installing TensorFlow for the TPU (once per session, takes minutes) ...")
        if reason := why_no_tpu():
            run_pip("uninstall", "-y", "tensorflow-tpu")
            print(f"No TPU: {reason}. This lesson goes on with the CPU; all its checks work there.")
    if lacking := [
        PACKAGES.get(name, name) for name in MODULES if not importlib.util.find_spec(name)
    ]:
        print(f"Installing {', '.join(lacking)} (once per session, takes a minute) ...")
        if trouble := run_pip("install", *lacking):
            raise ColabSetupError(
                f"pip could not install what this lesson needs: {trouble}. Run this cell again."
            )


if type(get_ipython()).__module__ == "google.colab._shell" and "colab_is_ready" not in globals():
    set_up_colab()
    colab_is_ready = True
