"""The shared cells that draw every process over time, and the board that acts on real ones."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

FAST = "start 10.0\nstep 1 in 10.5\nstep 1 out 12.0\nnoise 7.5\nstep 2 in 12.5"
SLOW = "start 10.0\nstep 1 in 12.0\nstep 1 out 12.0\nLostError at 13.0\nstart 14.0\nstep 1 in 15.0"


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "figures", "process_times", "cluster_processes", "process_board"))


def test_a_log_is_steps_waits_starts_and_errors(cells):
    assert cells.spans_of(FAST, 15.0) == [
        ("start", 10.0, 10.0, ""),
        ("step", 10.0, 10.5, "1"),
        ("wait", 10.5, 12.0, "1"),
        ("step", 12.0, 12.5, "2"),
        ("wait", 12.5, 15.0, "2"),
    ]
    kinds = [kind for kind, *_ in cells.spans_of(SLOW, 15.0)]
    assert kinds == ["start", "step", "wait", "error", "start", "step", "wait"]


def test_the_picture_is_valid_and_a_killed_process_does_nothing_any_more(cells):
    picture = ElementTree.fromstring(cells.process_picture({"a": FAST, "b": SLOW}, [("a", 13.0, "killed")]))
    words = picture.attrib["aria-label"]
    assert words.startswith("a began 2 steps and waited 2.0 s, killed; b began 2 steps")
    assert "started 2 times, LostError" in words and "killed" in "".join(picture.itertext())


def test_nothing_printed_yet_is_a_picture_too(cells):
    ElementTree.fromstring(cells.process_picture({"a": ""}))


def test_the_buttons_act_and_say_so(cells):
    did = []
    states = {"worker/0": "answers", "worker/1": "ended with 1"}
    acts = {
        name: lambda *tasks, name=name, **_: did.append((name, *tasks)) for name in ("freeze", "thaw", "kill", "start")
    }
    job = SimpleNamespace(tasks=list(states), state=states.get, printed=lambda task: FAST, **acts)
    board = cells.ProcessBoard(job)
    board.pressed("thaw", "worker/0")
    assert did == [] and "not frozen" in board.said.value
    board.pressed("freeze", "worker/0")
    board.pressed("kill", "worker/1")
    assert did == [("freeze", "worker/0")] and "worker/1 has ended" in board.said.value
    board.start_again()
    assert did[1:] == [("kill", "worker/0"), ("start", "worker/0", "worker/1")]
    assert "frozen" in board.picture.value and not board.frozen
    states["worker/0"] = "ended with 0"  # so that the board's thread ends
