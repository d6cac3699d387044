"""The shared cells that read and draw the record of a run: which ops ran, when, and how many bytes were alive."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

MIB = 2**20


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "run_record", "schedule_picture"))


@pytest.fixture
def record(cells):
    """As TensorFlow writes it, in microseconds: big_0 works 0-2 ms, big_1 1-4 ms, step_0 2-3 ms."""
    metadata = cells.tf.compat.v1.RunMetadata()
    stats = metadata.step_stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:CPU:0")
    for name, start, length, memory in [
        ("step_0", 2000, 1000, []),
        ("_SOURCE", -500, 1, []),
        ("big_0", 0, 2000, [(0, MIB), (3000, -MIB)]),
        ("big_1", 1000, 3000, [(1000, 2 * MIB), (3000, -2 * MIB)]),
    ]:
        node = stats.node_stats.add(node_name=name, all_start_micros=7_000_000 + start, all_end_rel_micros=length)
        allocator = node.memory.add(allocator_name="cpu")
        for moment, size in memory:
            allocator.allocation_records.add(alloc_micros=7_000_000 + moment, alloc_bytes=size)
    return metadata


def test_spans_begin_with_the_first_op_of_the_graph(cells, record):
    assert cells.spans(record) == {"big_0": (0.0, 2.0), "big_1": (1.0, 4.0), "step_0": (2.0, 3.0)}
    assert cells.ran(record) == ["big_0", "big_1", "step_0"]


def test_overlap_is_never_negative(cells, record):
    assert cells.overlap(record, "big_0", "big_1") == 1.0
    assert cells.overlap(record, "big_0", "step_0") == 0.0


def test_live_bytes_add_up_over_ops_and_memory_given_back_counts_first(cells, record):
    assert cells.live_bytes(record) == [(0.0, MIB), (1.0, 3 * MIB), (3.0, MIB), (3.0, 0)]
    assert cells.peak_bytes(record) == 3 * MIB
    assert cells.peak_bytes(cells.tf.compat.v1.RunMetadata()) == 0


def test_ops_of_a_lane_do_not_overlap(cells):
    assert cells.lanes({"a": (0, 2), "b": (1, 4), "c": (2, 3), "d": (3.5, 5)}) == {"a": 0, "b": 1, "c": 0, "d": 0}


def test_a_run_begins_with_init_and_gives_its_memory(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [], name="x")
        v = tf.compat.v1.get_variable("v", initializer=3.0)
        tf.group(v.initializer, name="init")
        big = tf.fill([MIB // 4], x, name="big_0")
        tf.add(tf.reduce_max(big), v, name="step_0")
    value, metadata = cells.run_recorded(graph, "step_0:0", {"x:0": 4.0}, threads=1)
    assert value == 7
    assert MIB <= cells.peak_bytes(metadata) < 1.1 * MIB
    assert {"big_0", "step_0"} <= set(cells.ran(metadata))
    assert "init" not in cells.ran(metadata)


@pytest.fixture
def shown(cells, monkeypatch):
    """The figures that cells show, each with the words that stand for it."""
    found: list[tuple] = []
    monkeypatch.setitem(cells.draw_schedule.__globals__, "show", lambda figure, words: found.append((figure, words)))
    return found


def test_the_picture_has_a_bar_for_each_op_with_a_pattern_and_labelled_axes(cells, record, shown, capsys):
    cells.draw_schedule(record, "two big ones")
    [(figure, words)] = shown
    top, below = figure.axes
    assert words.startswith("two big ones. In words: 3 bars")
    framed = [bar for bar in top.patches if bar.get_edgecolor()[3] and bar.get_width()]
    assert sorted(bar.get_width() for bar in framed if bar.get_facecolor()[3] == 0) == [1.0, 2.0, 3.0]
    assert "milliseconds" in below.get_xlabel()
    assert "MiB" in below.get_ylabel()
    assert {"big_…", "step_…"} == {text.get_text() for text in top.get_legend().get_texts()}
    assert capsys.readouterr().out == "In words: 3 bars in 4.0 ms, up to 2 at once; peak 3.0 MiB alive.\n"
