"""What lesson 05 says of order, memory and races, asked of its own cells, with TensorFlow's default settings."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

LESSON = "05_control_dependencies"
SEVERAL = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="what runs at the same time needs two cores")


@pytest.fixture(scope="module")
def cells() -> dict:
    """The names that the lesson's cells define; pictures are left out."""
    import matplotlib

    matplotlib.use("Agg")
    import numpy as np
    import tensorflow as tf

    course = Course(ROOT)
    space: dict = {"tf": tf, "np": np}
    for cell in read_cells(course, LESSON):
        if cell.role == "include" and "run_record" in str(cell.name):
            exec(shared_cell(course, cell, {}), space)
            space |= dict.fromkeys(("draw_schedule", "draw_timeline", "set_and_run"), lambda *args, **options: None)
        if cell.role in ("code", "predict") and not cell.text.startswith(SKIPPED):
            exec(cell.text, space)
    return space


# Two devices, and what only draws.
SKIPPED = ('ones = {"x:0"', "with tf.Graph().as_default() as graph:\n    x = v1", "try:\n    tf.config.threading")


def peaks(cells, wait_for, threads):
    return [float(text) for text in cells["peaks"](wait_for, threads).split()]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_guarded_memory_is_a_promise_and_free_memory_is_not(cells, threads):
    assert peaks(cells, cells["one_at_a_time"], threads) == [1.0] * 5
    assert max(peaks(cells, cells["two_at_a_time"], threads)) <= 2.0
    free = [peak for _ in range(3) for peak in peaks(cells, cells["nothing"], threads)]
    assert max(free) >= 4.0


def test_notes_are_in_order_only_where_arrows_say_so(cells):
    def orders(in_order):
        found = []
        for _ in range(10):
            cells["journal"].clear()
            cells["run_recorded"](cells["eight_notes"](in_order), "all", threads=4)
            found.append(list(cells["journal"]))
        return found

    assert all(order == list(range(8)) for order in orders(in_order=True))
    assert any(order != list(range(8)) for order in orders(in_order=False))


@SEVERAL
def test_each_cure_of_a_race_is_exact_and_what_is_no_cure_loses(cells):
    for cure in ("in_one_op", "in_order", "in_a_critical_section"):
        assert cells["ten_runs"](cells[cure]) == [100] * 10
    assert min(cells["ten_runs"](cells["read_add_write"])) < 100
    assert max(cells["ten_runs"](cells["half_a_cure"])) < 100
    assert cells["two_updates_that_meet"]() == 1


@SEVERAL
def test_scatter_add_loses_and_assign_add_does_not(cells):
    rows = cells["rows"]
    for _ in range(20):
        rows.assign([0.0])
        cells["four_threads"](cells["ten_times"])
        if rows.numpy()[0] < 4_000_000:
            break
    else:
        pytest.fail("no update was lost in 20 tries")


@SEVERAL
def test_ops_of_one_device_meet_if_there_are_threads(cells):
    assert cells["let_meet"]("abc", 3, seconds=30)
    assert not cells["let_meet"]("ab", 1, seconds=0.2)


def test_the_guard_saves_memory_in_a_function_too():
    """With oneDNN, which older AMD processors do without by default: nothing counts there."""
    texts = [cell.text for cell in read_cells(Course(ROOT), LESSON) if cell.role == "code"]
    measure = next(at for at, text in enumerate(texts) if text.startswith("def forward(x, scales, guard)"))
    program = "\n".join(["import tensorflow as tf", *texts[measure : measure + 2]])
    environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120)
    if "does not count" in done.stdout:
        pytest.skip("TensorFlow has no oneDNN for this processor")
    free, guarded = ([*map(float, line.partition("peaks")[2].split()[:-1])] for line in done.stdout.splitlines())
    assert len(free) == len(guarded) == 5 and max(guarded) < 2 < max(free)


def test_no_arrow_leads_from_a_write_of_a_file_to_a_read_unless_one_is_asked_for(cells):
    tf = cells["tf"]
    for name, arrows in (("write_and_read", []), ("write_then_read", ["^WriteFile"])):
        graph = cells[name].get_concrete_function(tf.constant(cells["path"]), tf.constant("")).graph
        [read] = [node for node in graph.as_graph_def().node if node.op == "ReadFile"]
        assert [given for given in read.input if given.startswith("^")] == arrows
    assert cells["count_fresh"](cells["write_then_read"]) == 100


def test_a_critical_section_ends_when_its_result_is_there(cells):
    assert [cells["four_calls"](True) for _ in range(5)] == [4.0] * 5
    if (os.cpu_count() or 1) > 1:
        assert min(cells["four_calls"](False) for _ in range(10)) < 4


def test_stateful_python_functions_are_put_one_behind_the_other(cells):
    tf, slow_fetch = cells["tf"], cells["slow_fetch"]

    def arrows(stateful):
        @tf.function(autograph=False)
        def both(one, two):
            first = tf.numpy_function(slow_fetch, [one], tf.float32, stateful=stateful)
            return first + tf.numpy_function(slow_fetch, [two], tf.float32, stateful=stateful)

        graph = both.get_concrete_function(tf.constant(1.0), tf.constant(2.0)).graph
        nodes = [node for node in graph.as_graph_def().node if "PyFunc" in node.op]
        return [given for node in nodes for given in node.input if given.startswith("^")]

    assert arrows(stateful=True) == ["^PyFunc"]
    assert arrows(stateful=False) == []
