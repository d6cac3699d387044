"""What lesson 03 says about memory, measured on its own card with its own code, in a process of its own.

With TensorFlow's default settings, and with oneDNN switched off.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

LESSON = "03_gpu_memory"
BEGINNINGS = ("WIDTH, LAYERS", "def plain_gradients", "import keras\n", "tf.get_logger")
SOLUTIONS = ("micro", "recompute", "largest")
MEASURE = """
import json
before = in_use()
tensor = tf.fill([100], 1.0)
found = {"rounded": in_use() - before}
del tensor
held = {name: tensor_of(mib) for name, mib in {"a": 96, "b": 32, "c": 64, "d": 32}.items()}
del held["a"], held["c"]
held["e"] = tensor_of(32)
found["e"] = places(held)["e"][0]
del held["b"]
held["f"] = tensor_of(128)
found["f"] = places(held)["f"][0]
held.clear()
held = {"most": tensor_of(344), "rest": tensor_of(3)}
del held["most"]  # what is left lies in the middle of the card: a hole of 344 MiB, and one of 165
found["search"] = [searched(largest_batch, 320, 50000, 120, 8, 640, just)["batch"] for just in (None, 240)]
held.clear()
plain_gradients(*example_data(4096))
batches = [256, 1024, 4096]
found["peaks"] = [peak_of(plain_gradients, *example_data(n)) for n in batches]
found["least"] = [4 * (LAYERS * WIDTH**2 + (LAYERS + 1) * WIDTH * n) / MIB for n in batches]
found["micro"] = peaks_of(plain_gradients, reference_micro, 4000, [250, 100], (2, 4))
found["recompute"] = peaks_of(plain_gradients, recomputed_gradients, 4000, [4, 16], (4, 2))
found["left over"] = [weight_after(n, 4) for n in (8, 10, 12)]
small = example_data(100, layers=4, width=8)
pairs = zip(plain_gradients(*small), reference_micro(*small, 30), recomputed_gradients(*small, 3))
with strategy.scope():
    step = keras.Sequential([keras.layers.Dense(1)])
    step.compile(keras.optimizers.SGD(1.0, gradient_accumulation_steps=4), "mse")
try:
    step.fit(np.ones([8, 4]), np.ones([8, 1]), batch_size=2, verbose=0)
    found["fit"] = "works"
except RuntimeError as error:
    found["fit"] = str(error)
w.assign([0.0])
for _ in range(8):
    strategy.run(lambda: optimizer.apply_gradients([(tf.constant([-1.0]), w)]))
found["eagerly"] = w.numpy().tolist()
found["equal"] = all(np.allclose(a, b, 1e-3, 1e-6) and np.allclose(a, c, 1e-3, 1e-6) for a, b, c in pairs)
print(json.dumps(found))
"""


def measured(**variables: str) -> dict:
    course = Course(ROOT)
    cells = read_cells(course, LESSON)
    helpers = next(cell for cell in cells if cell.role == "include" and "memory_card" in cell.name)
    texts = ["import matplotlib\nmatplotlib.use('Agg')\nimport numpy as np\nimport tensorflow as tf"]
    texts += [shared_cell(course, helpers), "claim_card()"]
    texts += [cell.text for cell in cells if cell.role == "code" and cell.text.startswith(BEGINNINGS)]
    texts += [cell.text for cell in cells if cell.role == "solution" and cell.name in SOLUTIONS]
    program = "\n\n".join(texts).replace("def micro_gradients", "def reference_micro")
    done = subprocess.run(
        [sys.executable, "-c", program + MEASURE],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(re.findall(r"^\{.*\}$", done.stdout, re.MULTILINE)[-1]) | {"printed": done.stdout}


@pytest.fixture(scope="module", params=["1", "0"], ids=["oneDNN", "plain kernels"])
def found(request) -> dict:
    return measured(TF_ENABLE_ONEDNN_OPTS=request.param, TF_CPP_MIN_LOG_LEVEL="2")


def test_the_allocator_rounds_fits_best_and_coalesces(found):
    assert (found["rounded"], found["e"], found["f"]) == (512, 128, 0)


def test_the_peak_rises_with_the_batch_and_is_about_twice_what_the_table_says(found):
    small, middle, large = found["peaks"]
    assert small < middle < large < 16 * small  # not in proportion
    assert abs((large - middle) / (middle - small) - 4) < 0.8  # but in a straight line
    assert all(peak > 1.8 * least for peak, least in list(zip(found["peaks"], found["least"], strict=True))[1:])


def test_micro_batches_and_recomputation_save_what_the_exercises_ask(found):
    plain, *parts = found["micro"]
    assert max(parts) < 0.4 * plain
    plain, in_fours, in_one = found["recompute"]
    assert in_fours < 0.6 * plain and in_one > 0.9 * plain
    assert found["equal"]


def test_a_search_finds_the_same_where_something_lies_in_the_middle_of_the_card(found):
    """A large tensor takes a whole hole that is less than twice as large."""
    assert found["search"] == [224, 240]


def test_what_is_left_over_is_lost(found):
    eight, ten, twelve = found["left over"]
    assert eight == ten != twelve


def test_accumulation_under_a_strategy_fails_in_a_graph_only(found):
    assert "RuntimeError: `merge_call` called while defining" in re.sub(r"\x1b\[\d*m", "", found["printed"])
    assert "merge_call" in found["fit"]
    assert found["eagerly"] == [2.0]
