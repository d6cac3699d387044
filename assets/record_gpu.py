"""Records what lessons 01, 02, 03 and 08 show on a machine with a GPU.

    python assets/record_gpu.py               all experiments, into assets/gpu_record.json
    python assets/record_gpu.py NAME ...      these; what else is recorded stays, if it is of the same machine
    python assets/record_gpu.py --dry-run     on whatever this machine has, printed and not kept

A result is written as soon as it is there: a machine with a GPU may be lent for minutes. The one in the repository was
made so, on one card; experiments that say nothing of memory or speed ran several at a time, and there was no time left
for `memory growth`, `memory fraction`, `memory limit` and `second process`.

Each experiment is a fresh Python process (masks and memory options are read once per process), with the environment
that it is about. The file says on which machine, with which driver and versions, and when. Lessons show a record where
their source says ``{{gpu record: NAME}}``, after `course build`; without the file they say that there is none yet.
Only a record that was made by this script on a real GPU belongs into the repository.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

RECORD = Path(__file__).with_name("gpu_record.json")
SECONDS = 300  # an experiment that takes longer has failed
LINES = 60  # of output that are kept

# What an experiment's code may use: memory of the first card, in MiB, as the driver tells it.
TAKEN = """
import subprocess
def taken():
    query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"]
    return int(subprocess.run(query, capture_output=True, text=True, check=True).stdout)
before = taken()
"""


@dataclass
class Experiment:
    """One process to run.

    ``only`` keeps lines with one of these words; ``cards`` is how many GPUs it needs to say anything.
    """

    name: str
    lesson: str
    title: str
    code: str
    environment: dict[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    cards: int = 1


DEVICES = """
import tensorflow as tf
print([device.name for device in tf.config.list_logical_devices("GPU")])
"""
MATMUL = """
import tensorflow as tf
with tf.Graph().as_default():
    a = tf.constant([[1., 2, 3], [4, 5, 6]], name="a")
    b = tf.constant([[1., 2], [3, 4], [5, 6]], name="b")
    product = tf.matmul(a, b, name="product")
    c = tf.constant([[1, 2], [3, 4]], name="c")
    integers = tf.matmul(c, c, name="integers")
    options = tf.compat.v1.ConfigProto(log_device_placement=True)
    options.graph_options.optimizer_options.opt_level = -1
    with tf.compat.v1.Session(config=options) as session:
        session.run(integers)
        print(session.run(product).tolist())
"""
LATE = """
import os
import tensorflow as tf
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
print("-- mask -1 after import. GPUs:", len(tf.config.list_physical_devices("GPU")), flush=True)
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
print("-- mask 0 after the first look. GPUs:", len(tf.config.list_physical_devices("GPU")), flush=True)
"""
LISTS = """
import subprocess, sys
code = '''
import sys
import tensorflow as tf
options = tf.compat.v1.GPUOptions(visible_device_list=sys.argv[1])
try:
    with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(gpu_options=options)) as session:
        print([device.name for device in session.list_devices() if device.device_type == "GPU"])
except Exception as error:
    print(type(error).__name__ + ":", error)
'''
for entries in ("0", "", "nonsense", "1", "0,0"):
    done = subprocess.run([sys.executable, "-c", code, entries], capture_output=True, text=True)
    print(f"{entries!r}:", done.stdout.strip() or done.stderr[-300:])
"""
OPTIONS = (
    TAKEN
    + """
import tensorflow as tf
options = tf.compat.v1.GPUOptions({options})
with tf.Graph().as_default():
    x = tf.ones([2, 2])
    with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(gpu_options=options)) as session:
        session.run(x @ x)
        print("GPUOptions({options}): nvidia-smi says", taken() - before, "MiB more")
"""
)
SPEED = """
import time
import tensorflow as tf
n = 8192
square = tf.random.normal([n, n])
forms = [("float32 without TF32", "float32", False), ("float32 (TF32)", "float32", True),
         ("bfloat16", "bfloat16", True), ("float16", "float16", True)]
first = None
for name, dtype, tf32 in forms:
    tf.config.experimental.enable_tensor_float_32_execution(tf32)
    x = tf.cast(square, dtype)
    product = tf.function(lambda x: tf.linalg.matmul(x, x))
    product(x)[0, 0].numpy()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(20):
            y = product(x)
        y[0, 0].numpy()
        times.append((time.perf_counter() - start) / 20)
    seconds = min(times)
    first = first or seconds
    print(f"{name:20} {2 * n**3 / seconds / 1e12:6.1f} TFLOP/s, {first / seconds:5.1f} times the first line")
"""
EXACT = """
import numpy as np
import tensorflow as tf
x = np.random.default_rng(0).standard_normal([1024, 1024])
right = x @ x
print("TF32 by default:", tf.config.experimental.tensor_float_32_execution_enabled())
for name, dtype, tf32 in (("float32 (TF32)", "float32", True), ("float32 without TF32", "float32", False),
                          ("float16", "float16", True), ("bfloat16", "bfloat16", True)):
    tf.config.experimental.enable_tensor_float_32_execution(tf32)
    with tf.device("GPU:0"):
        y = tf.cast(tf.linalg.matmul(*[tf.cast(tf.constant(x, "float32"), dtype)] * 2), "float64").numpy()
    print(f"{name:20} largest error {abs(y - right).max():.1e}, of values up to {abs(right).max():.0f}")
"""
EXPERIMENTS = [
    Experiment("start-up", "01", "the lines about devices of a process that finds its GPU", DEVICES,
               {"TF_CPP_MIN_LOG_LEVEL": "0"}, ("Created device", "[")),
    Experiment("placement", "01", "the placement log of two matmuls without any pin", MATMUL, only=("MatMul", "[[")),
    *(Experiment(f"mask {mask!r}", "02", f"CUDA_VISIBLE_DEVICES={mask!r}", DEVICES,
                 {"CUDA_VISIBLE_DEVICES": mask, "TF_CPP_MIN_LOG_LEVEL": "0"}, ("Created device", "cuInit", "["), cards)
      for mask, cards in (("0", 1), ("", 1), ("-1", 1), ("0,7", 1), ("7,0", 1), ("0,0", 1), ("GPU", 1), ("1", 2),
                          ("1,0", 2))),
    Experiment("late masks", "02", "masks that a running process writes", LATE, {"TF_CPP_MIN_LOG_LEVEL": "0"},
               ("-- mask", "cuInit")),
    Experiment("lists", "02", "what lists give on a host with one card", LISTS, only=("':",)),
    *(Experiment(f"memory {name}", "03", f"memory that a session holds: {name}", OPTIONS.replace("{options}", options),
                 only=("nvidia-smi",))
      for name, options in (("default", ""), ("growth", "allow_growth=True"),
                            ("fraction", "per_process_gpu_memory_fraction=0.25"))),
    Experiment("memory limit", "03", "one card as two GPUs of 1 GiB each", TAKEN + """
import tensorflow as tf
card = tf.config.list_physical_devices("GPU")[0]
one = tf.config.LogicalDeviceConfiguration(memory_limit=1024)
tf.config.set_logical_device_configuration(card, [one, one])
print([device.name for device in tf.config.list_logical_devices("GPU")])
with tf.device("GPU:1"):
    x = tf.random.normal([1024, 1024])
print({name: tf.config.experimental.get_memory_info(name) for name in ("GPU:0", "GPU:1")})
print("nvidia-smi says", taken() - before, "MiB more")
try:
    with tf.device("GPU:1"):
        tf.zeros([1024, 1024, 512])
except tf.errors.ResourceExhaustedError as error:
    print(type(error).__name__, error.message.splitlines()[0])
""", only=("GPU", "nvidia-smi", "Error")),
    Experiment("second process", "03", "a process holds the card, another one starts", TAKEN + """
import os, sys
import tensorflow as tf
tf.ones([2, 2]) @ tf.ones([2, 2])
print("the first: nvidia-smi says", taken() - before, "MiB more; TensorFlow uses",
      tf.config.experimental.get_memory_info("GPU:0"))
code = '''
import tensorflow as tf
print(tf.config.list_logical_devices("GPU"))
x = tf.ones([256, 1024, 1024])
print("1 GiB: done")
'''
second = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"})
print("the second ended with", second.returncode)
words = ("OUT_OF_MEMORY", "out of memory", "OOM", "allocate", "Created device", "LogicalDevice", "Error", "done")
print("\\n".join([line for line in second.stdout.splitlines() if any(word in line for word in words)][:20]))
""", only=("the ", "OUT_OF", "out of memory", "OOM", "allocate", "Created", "LogicalDevice", "Error", "done")),
    Experiment("exact", "08", "errors of a 1024 × 1024 matmul by dtype, against NumPy's in float64", EXACT,
               only=("largest", "TF32")),
    Experiment("speed", "08", "a matmul of 8192 × 8192 by dtype", SPEED, only=("TFLOP",)),
]  # fmt: skip


def cards() -> list[str]:
    """Name, memory and driver of each card, as the driver tells; none where there is no driver."""
    if shutil.which("nvidia-smi") is None:
        return []
    query = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True).stdout.strip().splitlines()


def run(experiment: Experiment) -> dict:
    """The lines that the experiment's process printed, and how it ended."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CUDA_", "TF_"))}
    environment = kept | {"TF_CPP_MIN_LOG_LEVEL": "2"} | experiment.environment
    command = [sys.executable, "-c", textwrap.dedent(experiment.code)]
    try:
        ended = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS
        )
        lines, status = ended.stdout.splitlines(), ended.returncode
    except subprocess.TimeoutExpired:
        lines, status = [f"(no answer in {SECONDS} s)"], -1
    if experiment.only:
        lines = [line for line in lines if any(word in line for word in experiment.only)]
    return {"lesson": experiment.lesson, "title": experiment.title, "status": status, "lines": lines[:LINES]}


def about() -> dict:
    """Machine, driver, versions and date."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # what this process logs is no part of the record
    import tensorflow as tf

    build = tf.sysconfig.get_build_info()
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "cards": cards(),
        "tensorflow": tf.__version__,
        "cuda": str(build.get("cuda_version", "none")),
        "cudnn": str(build.get("cudnn_version", "none")),
        "python": platform.python_version(),
        "system": platform.platform(),
        "gpus seen by tensorflow": len(tf.config.list_physical_devices("GPU")),
    }


def recorded(machine: dict) -> dict | None:
    """The experiments of the file that is there; None where they are of another machine or other versions."""
    if not RECORD.is_file():
        return {}
    before = json.loads(RECORD.read_text(encoding="utf-8"))
    same = all(before["machine"].get(key) == machine.get(key) for key in ("cards", "tensorflow", "cuda", "python"))
    return before["experiments"] if same else None


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python assets/record_gpu.py", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these experiments")
    parser.add_argument("--dry-run", action="store_true", help="run on whatever there is, print, keep nothing")
    args = parser.parse_args(argv)
    if set(args.names) - {experiment.name for experiment in EXPERIMENTS}:
        parser.error(f"names can be chosen from: {', '.join(experiment.name for experiment in EXPERIMENTS)}")
    machine = about()
    found = machine["gpus seen by tensorflow"]
    if not found and not args.dry_run:
        print(
            "TensorFlow sees no GPU on this machine, so nothing was recorded. On Linux with an NVIDIA driver, install "
            '"tensorflow[and-cuda]" in the same version, then run this again.',
            file=sys.stderr,
        )
        return 2
    results = {} if args.dry_run else recorded(machine)
    if results is None:
        print(
            f"{RECORD.name} is of another machine, driver or version, and a lesson shows what was recorded together. "
            "Move it away to record anew.",
            file=sys.stderr,
        )
        return 2
    failed = {}
    for experiment in EXPERIMENTS:
        if (args.names and experiment.name not in args.names) or (experiment.cards > found and not args.dry_run):
            continue
        result = run(experiment)
        if result["status"] and not args.dry_run:
            failed[experiment.name] = result["lines"]
            continue
        results[experiment.name] = result | {"date": machine["date"]}
        if not args.dry_run:
            beside = RECORD.with_suffix(".new")
            beside.write_text(as_text(machine, results), encoding="utf-8")
            beside.replace(RECORD)
    if args.dry_run:
        print(as_text(machine, results), end="")
    else:
        print(f"{RECORD.name}: {len(results)} experiments. Now run `course build`.")
    for name, lines in failed.items():
        print(f"{name!r} failed and was not recorded:", *lines, sep="\n  ", file=sys.stderr)
    return 1 if failed else 0


def as_text(machine: dict, results: dict) -> str:
    return json.dumps({"machine": machine, "experiments": results}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
