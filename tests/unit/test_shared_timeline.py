"""The shared cell that draws which device worked when."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "timeline"))


@pytest.fixture
def record(cells):
    """Step statistics as TensorFlow writes them, in microseconds: CPU:1 works 0-4 ms, CPU:0 1-2 ms and 6-7 ms."""
    metadata = cells.tf.compat.v1.RunMetadata()
    prefix, begin = "/job:localhost/replica:0/task:0/device:", 5_000_000
    for device, ops in {
        "CPU:1": [("slow", 0, 4000), ("_SOURCE", -500, 1)],
        "CPU:0": [("last", 6000, 1000), ("first", 1000, 1000)],
        "CPU:2": [("_Recv", 0, 9000)],
    }.items():
        stats = metadata.step_stats.dev_stats.add(device=prefix + device)
        for name, start, length in ops:
            stats.node_stats.add(node_name=name, all_start_micros=begin + start, all_end_rel_micros=length)
    return metadata


def test_work_is_in_milliseconds_from_the_first_op_on(cells, record):
    assert cells.work_of(record) == {
        "CPU:0": [("first", 1.0, 2.0), ("last", 6.0, 7.0)],
        "CPU:1": [("slow", 0.0, 4.0)],
    }


def test_an_op_below_the_clocks_grain_still_has_a_width(cells, record):
    record.step_stats.dev_stats[0].node_stats.add(node_name="quick", all_start_micros=5_000_000)
    assert ("quick", 0.0, 0.001) in cells.work_of(record)["CPU:1"]


@pytest.mark.parametrize(
    ("work", "milliseconds"),
    [
        ({"a": [("x", 0.0, 4.0)], "b": [("y", 1.0, 2.0), ("z", 6.0, 7.0)]}, 1.0),
        ({"a": [("x", 0.0, 4.0), ("w", 0.0, 4.0)]}, 0),  # one device, two ops at once
        ({"a": [("x", 0.0, 3.0)], "b": [("y", 1.0, 4.0)], "c": [("z", 2.0, 5.0)]}, 3.0),
        ({"a": [("x", 0.0, 1.0)], "b": [("y", 1.0, 2.0)]}, 0),
        ({}, 0),
    ],
)
def test_time_together_counts_devices_not_ops(cells, work, milliseconds):
    assert cells.together(work) == pytest.approx(milliseconds)


def test_the_drawing_has_labels_hatches_and_words(cells, record, monkeypatch, capsys):
    shown = []
    monkeypatch.setitem(cells.draw_timeline.__globals__, "show", lambda *given: shown.extend(given))
    cells.draw_timeline(record, "Who worked when")
    [axes] = shown[0].axes
    assert shown[1].startswith("Timeline, Who worked when. In words: CPU:0")
    assert axes.get_title() == "Who worked when"
    assert "milliseconds" in axes.get_xlabel() and axes.get_ylabel() == "device"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["CPU:0", "CPU:1"]
    framed = [bar for bar in axes.patches if bar.get_linewidth() == 1.2]
    assert [(bar.get_x(), bar.get_width()) for bar in framed] == [(1.0, 1.0), (6.0, 1.0), (0.0, 4.0)]
    assert len({bar.get_hatch() for bar in framed}) == 2
    assert capsys.readouterr().out == (
        "In words: CPU:0: first op began at 1.0 ms, last op ended at 7.0 ms, busy for 2.0 ms; "
        "its longest op, first, took 1.0 ms.\n"
        "In words: CPU:1: first op began at 0.0 ms, last op ended at 4.0 ms, busy for 4.0 ms; "
        "its longest op, slow, took 4.0 ms.\n"
        "Two or more devices worked at once for 1.0 of 7.0 ms.\n"
    )


def test_a_real_run_has_its_ops_in_order(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:1"):
            x = tf.random.uniform([200, 200], name="x")
            product = tf.matmul(x, x, name="product")
        with tf.device("/device:CPU:0"):
            tf.reduce_sum(product, name="total")
    work = cells.work_of(cells.run_and_trace(graph, "total:0")[1])
    [product_end] = [end for op, _, end in work["CPU:1"] if op == "product"]
    [total_start] = [start for op, start, _ in work["CPU:0"] if op == "total"]
    assert product_end <= total_start + 0.05
