"""Bytes in, report out, with a real kernel and the small lesson."""

from __future__ import annotations

import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.grading.cells import is_left_out
from autograder.grading.execute import Limits
from autograder.grading.lesson import read_lesson
from tests.grading.conftest import NAME, SOURCE, graded, make_course

pytestmark = pytest.mark.xdist_group("grader")


def grade(lesson, cell_seconds=Limits.cell_seconds, notebook_seconds=Limits.notebook_seconds, **answers):
    raw = submission(lesson, reference_answers(lesson) | answers)
    report = graded(raw, lesson, cell_seconds=cell_seconds, notebook_seconds=notebook_seconds).report
    return report, {check.name: check for check in report.checks}


def test_the_reference_gets_everything_and_a_demonstration_is_skipped(sums, right):
    result = graded(right, sums)
    executed, report = result.notebook, result.report
    assert report.automatic == (7, 7) and report.waiting == 2 and not report.problem and not report.flags
    skipped = [cell for cell in executed.cells if is_left_out(cell)]
    assert [cell.metadata.course.role for cell in skipped] == ["code", "predict", "try"]
    assert all(cell.execution_count is None for cell in skipped)


def test_an_unsolved_notebook_gets_nothing_and_says_why(sums):
    report, checks = grade(sums, double=sums.stubs["double"], halve=sums.stubs["halve"])
    assert report.score == 0 and report.waiting == 0
    messages = {check.message for check in report.checks}
    assert messages == {"Not written yet.", "Nothing was written here."}


def test_the_lessons_own_first_cells_have_the_time_of_a_start(course, tmp_path):
    """They import TensorFlow, which took a busy machine longer than a cell may take; a learner's cell has no more."""
    slow = SOURCE.replace("START = 100", "import time\ntime.sleep(4)\nTWO = 2").replace("2 * x", "TWO * x")
    lesson = read_lesson(make_course(tmp_path / "course", course.config, source=slow), NAME)
    report, _ = grade(lesson, cell_seconds=2)
    assert report.automatic == (7, 7) and not report.problem
    report, checks = grade(lesson, cell_seconds=2, double=f"time.sleep(4)\n{reference_answers(lesson)['double']}")
    assert report.score == 4 and "did not finish in 2 s" in checks["double-two"].detail


def test_noise_on_stderr_costs_nothing(sums):
    noisy = "import sys, warnings, logging\n\ndef double(x):\n    print('x', file=sys.stderr)\n"
    noisy += "    warnings.warn('careful')\n    logging.warning('hm')\n    return 2 * x"
    report, _ = grade(sums, double=noisy)
    assert report.automatic == (7, 7)


def test_a_value_at_the_end_of_a_check_is_not_partial_credit(sums, right):
    # the check halve-four ends in `3.5` and is worth 1 point: nbgrader alone would fail on it, or give other points
    report = graded(right, sums).report
    assert {check.name: check.points for check in report.checks}["halve-four"] == 1


def test_wrong_answers_lose_their_own_checks_only(sums):
    report, checks = grade(sums, double="def double(x):\n    return x * x", halve="def halve(x): return {}[x]")
    assert (checks["double-two"].points, checks["double-minus"].points) == (2, 0)
    assert checks["double-minus"].likely == "it takes the absolute value"
    assert checks["double-minus"].got == "1681"
    assert checks["halve-four"].message == "Running your code raised KeyError: 4"


def test_a_syntax_error_is_named_with_its_cell(sums):
    report, checks = grade(sums, double="def double(x:\n    return 2")
    assert report.automatic == (4, 7)
    assert "the cell of `double` stopped with SyntaxError" in checks["double-two"].message


WAITS = (
    "import signal\ndef double(x):\n    signal.signal(signal.SIGINT, signal.SIG_IGN)\n    while True:\n        pass\n"
)


def test_an_answer_that_hangs_costs_no_points_of_others(sums):
    """Each check of it lost a kernel, until there was none for the answers below; now they come first."""
    report, checks = grade(sums, cell_seconds=2, notebook_seconds=20, double=WAITS)
    assert report.automatic == (4, 7) and checks["halve-odd"].passed
    assert checks["double-two"].status == "stopped"
    assert (checks["double-minus"].status == "not run") == bool(report.flags)


def test_a_check_that_had_too_little_time_left_is_not_the_answers_fault(sums):
    """What is left of the notebook's time may be little, after cells that take all they may."""
    loops, slow = "while True:\n        pass", "import time\n    time.sleep(3.5)\n    return x / 2"
    answers = {"double": f"def double(x):\n    {loops}\n", "halve": f"def halve(x):\n    {slow}\n"}
    report, checks = grade(sums, cell_seconds=4, notebook_seconds=10, **answers)
    assert checks["double-two"].status == "stopped" and checks["halve-odd"].status == "not run"
    assert "what was left of the notebook's 10 s" in report.problem
    assert "no time left for further checks of `double`" in report.problem
    assert report.flags == ["Checks of `double`, `halve` were not run. See whether points are deserved."]


def test_a_learner_who_ends_the_kernel_gets_a_sentence(sums):
    report, checks = grade(sums, halve="import os\nos._exit(0)")
    assert report.automatic == (3, 7)
    assert "The kernel died in the cell `halve`" in report.problem
    assert "the cell of `halve` did not run to its end" in checks["halve-odd"].message
