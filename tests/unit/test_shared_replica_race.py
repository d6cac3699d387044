"""The shared cell that runs the loops of several replicas at once."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "replica_race"))


def test_all_loops_run_at_the_same_time(cells):
    meeting = threading.Barrier(3, timeout=30)
    cells.at_work([lambda stop: meeting.wait()] * 3)  # a barrier of three opens only if all three are there
    assert not meeting.broken


def test_an_error_stops_the_others_and_is_raised_when_all_have_ended(cells):
    ended = []

    def fails(stop):
        raise ValueError("this worker fails")

    def waits(stop):
        assert stop.wait(30)
        ended.append(True)

    with pytest.raises(ValueError, match="this worker fails"):
        cells.at_work([waits, fails, waits])
    assert ended == [True, True]


def test_an_interrupt_stops_all_loops(cells, monkeypatch):
    ended = []

    def waits(stop):
        ended.append(stop.wait(30))

    def interrupted(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(cells.time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cells.at_work([waits, waits])
    assert ended == [True, True]


def test_the_margin_is_that_of_students_t(cells):
    mean, margin = cells.mean_and_margin([1, 1, 4])
    assert mean == pytest.approx(2) and margin == pytest.approx(4.3027, rel=1e-4)  # t of two degrees of freedom
    assert cells.mean_and_margin([5.0, 5.0]) == (5, 0)


def test_closing_a_session_has_a_deadline(cells):
    closing, held = threading.Event(), threading.Event()
    cells.leave(SimpleNamespace(close=lambda: (closing.set(), held.wait(30))), seconds=0.1)
    assert closing.is_set()
    held.set()


def test_a_session_waits_for_its_own_task_and_the_ps_only(cells, monkeypatch):
    import tensorflow as tf

    made = {}

    def session(target, graph, config):
        made.update(target=target, config=config)
        return SimpleNamespace(close=lambda: None)  # when Python ends

    monkeypatch.setattr(tf.compat.v1, "Session", session)
    cells.connect(SimpleNamespace(target=lambda task: f"grpc://{task}"), None, "worker/2", seconds=7)
    assert made["target"] == "grpc://worker/2" and made["config"].operation_timeout_in_ms == 7000
    assert list(made["config"].device_filters) == ["/job:ps", "/job:worker/task:2"]
