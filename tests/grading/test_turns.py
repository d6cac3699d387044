"""Turns are taken in order, by so many at once, and never lost."""

from __future__ import annotations

import threading
import time

import nbformat

from autograder.authoring.answers import submission
from autograder.grading.execute import Limits, Options
from autograder.grading.grade import grade_submission
from autograder.grading.submission import Submission
from autograder.grading.turns import Turns

SOON, LONG = 0.05, 10.0


def test_turns_are_taken_in_order_and_given_back():
    turns = Turns(1)
    first, second, third = (turns.next() for _ in range(3))
    assert not second.take(SOON), "the first has not had its turn yet"
    assert first.take(LONG) and first.take(LONG), "one that has it keeps it"
    assert not second.take(SOON)
    waiting = threading.Thread(target=second.take, args=(LONG,))
    waiting.start()
    first.give_back()
    waiting.join(LONG)
    assert not waiting.is_alive() and not third.take(SOON)
    second.give_back()
    assert third.take(SOON)


def test_a_slot_is_left_for_each_one_before():
    turns = Turns(2)
    slow, quick, next_one = (turns.next() for _ in range(3))
    assert quick.take(SOON) and not next_one.take(SOON)
    assert slow.take(SOON)


def test_one_that_never_took_its_turn_holds_up_nobody():
    turns = Turns(1)
    first, second = turns.next(), turns.next()
    first.give_back()
    first.give_back()
    assert second.take(SOON)
    second.give_back()
    assert turns.free == 1 and not turns.waiting


def test_one_that_runs_once_more_goes_first():
    turns = Turns(1)
    first, second = turns.next(), turns.next()
    assert first.take(SOON)
    first.give_back()
    assert first.take(SOON) and not second.take(SOON)


def notebook_of(lesson, halve, *between):
    notebook = nbformat.reads(submission(lesson, {"double": DOUBLE, "halve": halve}), as_version=4)
    place = next(index for index, cell in enumerate(notebook.cells) if cell.id == "halve")
    notebook.cells[place:place] = map(nbformat.v4.new_code_cell, between)
    return Submission(nbformat.writes(notebook).encode())


DOUBLE = "asked = False\ndef double(x):\n    global asked\n    asked = True\n    return 2 * x"
SLOW_WHEN_REPLAYED = "import time\ntime.sleep(0 if asked else 0.9)  # no check asks then"


def test_a_notebook_that_is_replayed_has_no_more_time_than_others(sums, kernels):
    """Each cell had a second of its own, however long ago the notebook's time was over."""
    submission = notebook_of(sums, "import os\ndef halve(x): os.abort()", *[SLOW_WHEN_REPLAYED] * 60)
    limits = Limits(cell_seconds=5, notebook_seconds=6, start_seconds=20)
    begin = time.monotonic()
    report = grade_submission(submission, sums, Options(limits, kernels)).report
    assert report.problem == "There was no time left for further checks of `halve`."
    assert report.automatic == (3, 7) and time.monotonic() - begin < 45


def test_a_kernel_that_waited_too_long_for_its_turn_costs_nobody_points(sums, kernels, monkeypatch):
    """Nor does a checker, whose time is over while it waits."""
    limits = Limits(cell_seconds=2, notebook_seconds=2, start_seconds=2)
    monkeypatch.setattr("autograder.grading.sandbox.checker_process.LIFE_SECONDS", 12.0)
    turns = Turns(1)
    first, second = turns.next(), turns.next()
    assert first.take(SOON)
    release = threading.Timer(2 * (2 * limits.start_seconds + limits.notebook_seconds) + 3, first.give_back)
    release.start()
    options = Options(limits, kernels, turn=second)
    report = grade_submission(notebook_of(sums, "def halve(x): return x / 2"), sums, options).report
    release.join()
    assert report.automatic == (7, 7) and not report.problem


def test_a_checker_lives_as_long_as_its_notebook_may_take(sums, kernels, monkeypatch):
    """With a long ``--timeout`` its hour was over before the notebook's time was."""
    monkeypatch.setattr("autograder.grading.sandbox.checker_process.LIFE_SECONDS", 4.0)
    limits = Limits(cell_seconds=30, notebook_seconds=60, start_seconds=60)
    slow = notebook_of(sums, "import time\ntime.sleep(6)\ndef halve(x): return x / 2")
    report = grade_submission(slow, sums, Options(limits, kernels)).report
    assert report.automatic == (7, 7) and not report.problem
