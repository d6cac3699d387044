"""Records what lessons 01, 02, 03 and 08 show on a machine with a GPU.

    python assets/record_gpu.py               all experiments, into assets/gpu_record.json
    python assets/record_gpu.py --dry-run     on whatever this machine has, printed and not kept

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

# What an experiment's code may use: this process's memory on the first card as the driver sees it, in MiB.
TAKEN = """
import os, subprocess
def taken():
    query = ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
    rows = subprocess.run(query, capture_output=True, text=True).stdout.split("\\n")
    rows = [row.split(", ") for row in rows if row.startswith(f"{os.getpid()}, ")]
    mine = [int(memory) for _, memory in rows if memory.isdigit()]
    return f"{sum(mine)} MiB" if mine else "not told by the driver"
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
for device in tf.config.list_physical_devices("GPU"):
    print(device.name, tf.config.experimental.get_device_details(device))
print(len(tf.config.list_physical_devices("GPU")), "visible")
"""
MATMUL = """
import tensorflow as tf
with tf.Graph().as_default():
    a = tf.constant([[1., 2, 3], [4, 5, 6]], name="a")
    b = tf.constant([[1., 2], [3, 4], [5, 6]], name="b")
    product = tf.matmul(a, b, name="product")
    options = tf.compat.v1.ConfigProto(log_device_placement=True)
    options.graph_options.optimizer_options.opt_level = -1
    with tf.compat.v1.Session(config=options) as session:
        print(session.run(product).tolist())
"""
OPTIONS = (
    TAKEN
    + """
import tensorflow as tf
options = tf.compat.v1.GPUOptions({options})
with tf.Graph().as_default():
    x = tf.random.normal([1024, 1024])
    with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(gpu_options=options)) as session:
        session.run(x @ x)
        print("{options}:", taken())
"""
)
SPEED = """
import time
import tensorflow as tf
n = 8192
for dtype in ("float32", "bfloat16", "float16"):
    x = tf.cast(tf.random.normal([n, n]), dtype)
    product = tf.function(lambda x: tf.linalg.matmul(x, x))
    product(x).numpy()
    start = time.perf_counter()
    for _ in range(20):
        y = product(x)
    y.numpy()
    seconds = (time.perf_counter() - start) / 20
    first = seconds if dtype == "float32" else first
    print(f"{dtype}: {2 * n**3 / seconds / 1e12:.1f} TFLOP/s, {first / seconds:.1f} times float32")
"""
EXPERIMENTS = [
    Experiment("start-up", "01", "the log of a process that finds its GPUs", DEVICES, {"TF_CPP_MIN_LOG_LEVEL": "0"},
               ("Created device", "pciBusID", "peer", "DMA", "visible")),
    Experiment("placement", "01", "the placement log of a matmul without any pin", MATMUL, only=("device:", "[[")),
    *(Experiment(f"mask {mask!r}", "02", f"CUDA_VISIBLE_DEVICES={mask!r}", DEVICES, {"CUDA_VISIBLE_DEVICES": mask},
                 cards=cards)
      for mask, cards in (("0", 1), ("", 1), ("-1", 1), ("0,-1,0", 1), ("1", 2), ("1,0", 2))),
    *(Experiment(f"memory {name}", "03", f"memory that a session holds: {name}", OPTIONS.replace("{options}", options))
      for name, options in (("default", ""), ("growth", "allow_growth=True"),
                            ("fraction", "per_process_gpu_memory_fraction=0.25"))),
    Experiment("memory limit", "03", "two virtual GPUs of 1 GiB each on one card", """
import tensorflow as tf
card = tf.config.list_physical_devices("GPU")[0]
one = tf.config.LogicalDeviceConfiguration(memory_limit=1024)
tf.config.set_logical_device_configuration(card, [one, one])
print(tf.config.list_logical_devices("GPU"))
with tf.device("GPU:1"):
    x = tf.random.normal([1024, 1024])
print({name: tf.config.experimental.get_memory_info(name) for name in ("GPU:0", "GPU:1")})
try:
    with tf.device("GPU:1"):
        tf.zeros([1024, 1024, 1024])
except tf.errors.ResourceExhaustedError as error:
    print(type(error).__name__, error.message.splitlines()[0])
"""),
    Experiment("second process", "03", "a process holds the card, another one starts", TAKEN + """
import sys
import tensorflow as tf
x = tf.random.normal([1024, 1024])
print("first holds", taken())
code = "import tensorflow as tf; print(tf.reduce_sum(tf.ones([4096, 4096])).numpy())"
second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print("second ended with", second.returncode)
words = ("OUT_OF_MEMORY", "out of memory", "OOM", "failed to allocate", "Failed to")
lines = [line for line in second.stderr.splitlines() if any(word in line for word in words)]
print("\\n".join(lines[:8]) or second.stdout)
"""),
    Experiment("speed", "08", "a matmul of 8192 × 8192 by dtype", SPEED),
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


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python assets/record_gpu.py", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these experiments; only with --dry-run")
    parser.add_argument("--dry-run", action="store_true", help="run on whatever there is, print, keep nothing")
    args = parser.parse_args(argv)
    unknown = set(args.names) - {experiment.name for experiment in EXPERIMENTS}
    if unknown or (args.names and not args.dry_run):
        names = ", ".join(experiment.name for experiment in EXPERIMENTS)
        parser.error(f"a record is always whole; with --dry-run, names can be chosen from: {names}")
    machine = about()
    found = machine["gpus seen by tensorflow"]
    if not found and not args.dry_run:
        print(
            "TensorFlow sees no GPU on this machine, so nothing was recorded. On Linux with an NVIDIA driver, install "
            '"tensorflow[and-cuda]" in the same version, then run this again.',
            file=sys.stderr,
        )
        return 2
    chosen = [e for e in EXPERIMENTS if not args.names or e.name in args.names]
    results = {e.name: run(e) for e in chosen if args.dry_run or e.cards <= found}
    failed = [name for name, result in results.items() if result["status"]]
    text = json.dumps({"machine": machine, "experiments": results}, indent=1, ensure_ascii=False) + "\n"
    if args.dry_run:
        print(text, end="")
        return 0
    if failed:
        print(f"Nothing was kept, since these failed: {', '.join(failed)}.\n{text}", file=sys.stderr)
        return 1
    RECORD.write_text(text, encoding="utf-8")
    print(f"{RECORD.name}: {len(results)} experiments. Now run `course build`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
