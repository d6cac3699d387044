"""What lesson 08 says, held against its own code: each number or order below is one that its text claims.

One process runs the cells, with TensorFlow's default settings but for four logical CPUs, and reports what came.
"""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

LESSON = "08_mixed_precision_and_tpu"
SECONDS = 240

pytestmark = [pytest.mark.slow]


class Lesson:
    """The lesson's own code, cell by cell, in one namespace."""

    def __init__(self) -> None:
        self.cells = [cell for cell in read_cells(Course(ROOT), LESSON) if cell.kind == "code"]
        self.names: dict[str, Any] = {"__name__": "__main__"}
        for cell in self.cells:
            if cell.role == "include" and not cell.automatic:  # not Colab's set-up
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(shared_cell(Course(ROOT), cell, {}), cell.name, "exec"), self.names)
        self.names["show"] = lambda figure, words: self.names["plt"].close(figure)

    def text(self, mark: str) -> str:
        """The text of the one code cell that holds ``mark``."""
        [found] = [c.text for c in self.cells if mark in c.text and c.role in ("code", "predict")]
        return found

    def run(self, mark: str, **replaced: str) -> str:
        """Run a cell; returns what it printed. ``replaced`` has other words for some of its text."""
        text = self.text(mark)
        for old, new in replaced.items():
            assert old in text
            text = text.replace(old, new)
        linecache.cache[mark] = (len(text), None, text.splitlines(keepends=True), mark)  # AutoGraph reads it
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, mark, "exec"), self.names)
        return printed.getvalue()


def numbers() -> dict[str, Any]:
    """``{claim: what came}``."""
    lesson = Lesson()
    names, run = lesson.names, lesson.run
    np, tf = names["np"], names["tf"]
    seen: dict[str, Any] = {}

    run("from_1024 = ...")
    run("every = np.arange")
    seen["counts"] = sorted(set(names["count"].values()))
    run("added = [")
    run("pairs = [(2048")
    seen["sums"] = names["seen"]
    seen["resolutions"] = [float(np.spacing(np.array(1, names["number_type"](n)))) for n in names["FORMATS"]]
    run("def as_tf32")
    seen["tf32"] = [names["as_tf32"](x) for x in (1.0001, 1.0, 3.0, 2**20 + 1.0, 1e-30)]
    seen["tf32 allowed"] = tf.config.experimental.tensor_float_32_execution_enabled()
    seen["eight bits"] = [float(np.array(x, tf.as_dtype(n).as_numpy_dtype)) for n, x in
                          (("float8_e4m3fn", 448), ("float8_e5m2", 57344), ("float8_e5m2", 1e6))]  # fmt: skip
    half = np.float16
    seen["an update"] = [bool(half(w) - half(1e-4) == half(w)) for w in (1, 0.01)]
    seen["three reasons"] = run("half = tf.constant([12.0")

    run("of_mixed_float16 = (")
    run("types = {}")
    shares = []
    for seed in range(5):
        run("tape.watch(x)\n    loss = tf.reduce_mean(tf.nn.sigmoid", **{"seed=1": f"seed={10 + seed}"})
        gradient = names["gradient"]
        with np.errstate(over="ignore"):
            shares.append([float(np.mean((gradient * s).astype("float16") == 0)) for s in (1, 2.0**15)])
    seen["zeros"] = shares
    run("def half_gradient")
    seen["half gradient"] = [float(names["half_gradient"](s)) for s in (1.0, 1024.0, 2.0**40)]
    for mark in ("optimizer.build([weights])", "def train_step", "history = []"):
        run(mark)
    seen["skipped"] = [int(step) for step in names["skipped"]]
    seen["scales"] = [float(scale) for scale in names["scales"]]
    seen["loss of the loop"] = [float(names["losses"][0]), float(names["losses"][-1])]

    run("def wear_model")
    keras = names["keras"]
    keras.utils.disable_interactive_logging()
    seen["silent"] = run("def trained(")
    seen["zeros in gradients"] = run("def zeros_in_gradients")
    seen["wrapped"] = run("by_layers = wear_model")
    seen["mended"] = run('trained(wear_model("mixed_bfloat16")')

    seen["memory"] = run("def step_mebibytes")
    layer_bytes = []
    for policy in ("float32", "mixed_bfloat16"):
        layer = keras.layers.Conv2D(8, 3, dtype=policy)
        y = layer(tf.ones([8, 14, 14, 1]))
        layer_bytes.append([y.numpy().nbytes, sum(variable.numpy().nbytes for variable in layer.variables)])
    seen["bytes of layers"] = layer_bytes
    run("def best_milliseconds")
    run("def convolution_step")
    run("speed = {}")
    seen["speed"] = names["speed"]

    run("def compiled_shapes")
    with contextlib.redirect_stdout(io.StringIO()):
        seen["shapes"] = [names["compiled_shapes"](drop) for drop in (False, True)]
    seen["copies"] = run("inside = tf.Variable")
    seen["dealt"] = run("numbers = tf.data.Dataset.range(10)")
    losses = []
    for seed in range(5):
        run("def one_epoch", **{"seed=4": f"seed={20 + seed}", "seed=5": f"seed={30 + seed}"})
        losses.append([names["one_epoch"](*pair) for pair in ((64, 0.02), (512, 0.02), (512, 0.16), (512, 2.5))])
    seen["one epoch"] = losses
    run("reads_of = [")
    run("def count_reads")
    run("plain = tf.data.Dataset.from_generator")
    seen["reads"] = names["seen"]
    run("class Watch")
    run("def fused")
    fused = {}
    for steps in (1, 8, 64):
        watcher, loss = names["fused"](steps)
        fused[steps] = [loss, len(watcher.ends), min(watcher.seconds[1:])]
    seen["fused"] = fused
    run("weight = tf.Variable(1.0, dtype=tf.float16)")
    seen["weight"] = float(names["weight"])
    return seen


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    code = "from tests.lessons.test_claims_08 import numbers; import json; print('SEEN' + json.dumps(numbers()))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("SEEN")]
    assert lines, done.stderr[-3000:]
    return json.loads(lines[-1][4:])


def test_precision_is_relative(seen):
    assert seen["counts"] == [1024]
    assert seen["sums"] == [2048, 2052, 1]
    assert [f"{value:.0e}" for value in seen["resolutions"]] == ["1e-03", "8e-03", "1e-07", "2e-16"]
    assert seen["an update"] == [True, False]


def test_tf32_keeps_ten_bits_and_float32s_range(seen):
    assert seen["tf32"][:4] == [1, 1, 3, 2**20]
    assert abs(seen["tf32"][4] / 1e-30 - 1) < 2**-10
    assert seen["tf32 allowed"] is True
    assert seen["eight bits"] == [448, 57344, float("inf")]


def test_exp_and_a_loss_overflow_in_float16(seen):
    lines = seen["three reasons"].splitlines()
    assert lines[0].endswith("exp(12) is inf, a loss inf")
    assert "inf" not in lines[1]
    assert lines[2:4] == ["1 - 0.0001 is 1.0 in float16", "1 - 0.0001 is 1.0 in bfloat16"]
    assert seen["weight"] == 1


def test_a_scale_saves_small_gradients(seen):
    for bare, scaled in seen["zeros"]:
        assert bare > 0.1 and scaled < bare / 10
    bare, scaled, too_large = seen["half gradient"]
    assert bare == 0 and abs(scaled / 1e-8 - 1) < 0.01 and too_large == float("inf")


def test_the_scale_first_falls_and_then_climbs(seen):
    down = next(i for i in range(100) if i not in seen["skipped"])  # the first step that is not skipped
    assert down >= 3
    assert max(seen["scales"][down:]) > seen["scales"][down]
    first, last = seen["loss of the loop"]
    assert last < first / 100


def test_a_run_without_scaling_is_silent_and_learns_nothing(seen):
    assert "moved: 0%" in seen["silent"]
    assert seen["zeros in gradients"].count("1.0") == 4 and "SGD" in seen["zeros in gradients"]
    assert [line.split()[-1] for line in seen["wrapped"].splitlines()] == ["SGD", "LossScaleOptimizer"]
    ends = [float(line.split("-> ")[1].split(";")[0]) for line in seen["mended"].splitlines()]
    start = float(seen["mended"].split()[1])
    assert len(ends) == 3 and max(ends) < 1.2 * min(ends) and max(ends) < start / 3


def test_only_activations_are_halved(seen):
    factors = [float(line.rsplit(" ", 1)[1]) for line in seen["memory"].splitlines()]
    assert 1 < factors[0] < 1.2 and 0.5 < factors[1] < 0.55
    (full, stored), (half, still) = seen["bytes of layers"]
    assert half * 2 == full and stored == still


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/cpuinfo")
def test_float16_convolutions_take_many_times_as_long(seen):
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    if "avx512_fp16" not in flags or "amx_" in flags:
        pytest.skip("another processor than the one that the text tells of")
    assert seen["speed"]["float16"][1] > 10 * seen["speed"]["float32"][1]


def test_each_shape_is_compiled_once(seen):
    assert seen["shapes"] == [[32, 4], [32]]


def test_replicas_hold_copies_and_batches_are_dealt_out_in_order(seen):
    mirrored, plain = seen["copies"].splitlines()
    assert mirrored.count("CPU:") == 4 and plain.count("CPU:") == 1
    assert seen["dealt"].count("[[0, 1], [2, 3], [4, 5], [6, 7]]") == 2
    assert seen["dealt"].count("[[8], [9], [], []]") == 1


def test_the_rate_follows_the_batch_and_only_so_far(seen):
    for small, same_rate, scaled_rate, too_large in seen["one epoch"]:
        assert same_rate > 3 * small
        assert small / 2 < scaled_rate < 2 * small
        assert too_large > 100 * same_rate


def test_a_pass_that_stops_early_throws_its_cache_away(seen):
    assert seen["reads"] == [30, 10, 12]


def test_fused_steps_train_the_same_in_fewer_calls_and_less_time(seen):
    (one, calls_1, seconds_1), (eight, calls_8, seconds_8), (many, calls_64, seconds_64) = seen["fused"].values()
    assert (calls_1, calls_8, calls_64) == (256, 32, 4)
    assert abs(eight - one) < 1e-5 and abs(many - one) < 1e-5
    assert seconds_8 < seconds_1 / 1.2 and seconds_64 < seconds_1 / 1.2
