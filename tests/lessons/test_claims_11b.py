"""What lesson 11 says about layouts is so, by its own cells, over other sizes and meshes than its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from autograder.authoring.source import read_cells
from autograder.paths import Course
from tests.conftest import ROOT

LESSON = "11_training_across_processes"
DEVICES = """
import numpy as np
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 4)
told = []
compare_prediction = lambda what, guess, seen, why: told.append(seen)
both_columns = columns_rows = ...
"""
LOOK = """
import json

def counts_of(batch, model, way):
    specs = (["batch", "unsharded"], *ways[way])
    arrays = [normal(size=size) for size in ([4, 12], [12, 16], [16, 8])]
    laid = [lay_out(make_mesh(batch, model), array, list(spec)) for array, spec in zip(arrays, specs)]
    return [collectives(network, *laid), collectives(gradients, *laid)]

found = {
    "told": told,
    "data": counts_of(4, 1, "whole"),
    "model": counts_of(1, 4, "columns, rows"),
    "both": counts_of(2, 2, "columns, rows"),
    "counts": counts,
    "whole slot": momentum_step(["unsharded", "unsharded"]),
    "cut slot": momentum_step(["batch", "unsharded"]),
    "keras": [kernel.device[-5:], list(kernel.shape), bool(dtensor.is_dtensor(kernel))],
}
try:
    lay_out(make_mesh(4, 1), np.ones([6, 2]), ["batch", "unsharded"])
except tf.errors.UnknownError:
    found["six over four"] = "error"
print(json.dumps(found))
"""
MARKS = ("\ndef make_mesh(", "\ndef network(", "ways = {", "def momentum_step(", "device_names =")


@pytest.fixture(scope="module")
def found():
    """What a process with four logical devices found, running the lesson's cells on layouts."""
    cells = [cell.text for cell in read_cells(Course(ROOT), LESSON) if cell.role == "code"]
    own = [next(cell for cell in cells if mark in cell) for mark in MARKS]
    text = "\n".join([DEVICES, (ROOT / "solutions/_shared/collectives.py").read_text(), *own, LOOK])
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout.splitlines()[-1])


def test_columns_then_rows_takes_one_collective_and_both_by_columns_three(found):
    assert found["told"] == [3, 1]
    assert found["counts"]["whole"] == 0 < found["counts"]["columns, rows"] < found["counts"]["rows, columns"]


def test_gradients_need_one_collective_for_each_dimension_of_the_mesh(found):
    assert [found["data"], found["model"], found["both"]] == [[0, 1], [1, 1], [1, 2]]


def test_a_cut_slot_takes_a_quarter_one_more_collective_and_gives_the_same_weight(found):
    whole, cut = found["whole slot"], found["cut slot"]
    assert (4 * cut[0], cut[1]) == (whole[0], whole[1] + 1)
    assert cut[2] == pytest.approx(whole[2], rel=1e-5)


def test_keras_distribution_cuts_nothing_on_this_backend(found):
    assert found["keras"] == ["CPU:0", [4, 8], False]


def test_six_rows_over_four_devices_are_an_error(found):
    assert found["six over four"] == "error"
