"""One test text, two places: the grader gives every answer the points and words that the notebook itself gives."""

from __future__ import annotations

import operator

import pytest

from autograder.authoring.answers import Answer, grade_answers, read_bank
from autograder.grading.lesson import read_lesson
from autograder.grading.report import Status
from autograder.paths import Course
from tests.conftest import LATER, LESSONS, ROOT
from tests.grading.test_answers import COSTLY, graded, once_more, reports_of, stubs, telling, together

pytestmark = pytest.mark.slow
QUICK = ("00", "01", "05", "08")  # lessons whose checks take a moment in both places; others are looked at later


def told(report, exercise=None):
    """What a report says of each check, or of those of one exercise."""
    return {
        check.name: (check.points, check.passed, check.message)
        for check in report.checks
        if exercise in (None, check.exercise)
    }


def banks():
    """Stubs of each lesson as answers, and telling ones but for costly exercises; others are ``-m exhaustive``."""
    for name in LESSONS:
        bank = read_bank(Course(ROOT), name)
        first = [answer for answer in telling(bank) if answer.exercise not in COSTLY]
        later = [answer for answer in bank if answer not in first]
        marks = [] if name.startswith(QUICK) else [LATER]
        yield pytest.param(name, first + stubs(read_lesson(Course(ROOT), name)), id=name, marks=together(name, *marks))
        if later:
            yield pytest.param(name, later, id=f"{name}-later", marks=together(name, pytest.mark.exhaustive))


@pytest.mark.parametrize(("name", "answers"), list(banks()))
def test_every_answer_of_the_bank_gets_the_same_in_both(name, answers, course, kernels):
    lesson, outside = read_lesson(course, name), reports_of(name, course, kernels, answers)
    inside = graded(lesson, answers, kernels, checks_in_kernel=True)

    def said(answer):
        # whose code an error came from is known outside the kernel alone, so words about errors differ
        both = [reports[answer.name].checks for reports in (inside, outside)]
        raised = {check.name for checks in both for check in checks if check.status is Status.RAISED}
        mine, grader = (told(reports[answer.name], answer.exercise) for reports in (inside, outside))
        for check in raised & mine.keys():
            mine[check], grader[check] = mine[check][:2], grader[check][:2]
        return mine, grader

    different = [answer for answer in answers if operator.ne(*said(answer))]
    once_more(lesson, different, inside, kernels, checks_in_kernel=True)
    once_more(lesson, different, outside, kernels)
    for answer in answers:
        mine, grader = said(answer)
        assert mine and mine == grader, answer.name


SAMPLES = {  # answers whose values travel in every way that they can
    "numbers of NumPy": "import numpy as np\ndef double(x): return np.int64(2 * x)",
    "an array": "import numpy as np\ndef double(x): return np.asarray(2 * x)",
    "a float": "def double(x): return 2.0 * x",
    "a truth": "def double(x): return True",
    "a text": "def double(x): return str(2 * x)",
    "a list": "def double(x): return [2 * x]",
    "an error with arguments": "def double(x): return {}[x]",
    "an error of its own class": "class Mine(ValueError): pass\ndef double(x): raise Mine('no')",
    "an error of a missing name": "def double(x): return 2 * y",
    "an assertion": "def double(x): assert False, 'mine'",
    "an error without words": "def double(x): raise ValueError",
    "a class": "class double(int):\n    def __new__(cls, x): return 2 * x",
    "no function": "double = 4",
    "nothing": "",
    "the stub": "def double(x): raise NotImplementedError('write this exercise first')",
    "a partial": "import functools, operator\ndouble = functools.partial(operator.mul, 2)",
    "exit": "import sys\ndef double(x): sys.exit(3)",
    "state": "calls = []\ndef double(x):\n    calls.append(x)\n    return 2 * x if len(calls) < 2 else 0",
}


@pytest.fixture(scope="module")
def both(sums):
    """Reports on the samples by the grader's checks, and by checks in the kernel."""
    answers = [Answer(name, "double", 0, 0, text) for name, text in SAMPLES.items()]
    return [grade_answers(sums, answers, checks_in_kernel=inside) for inside in (False, True)]


@pytest.mark.xdist_group("bank")
@pytest.mark.parametrize("sample", SAMPLES)
def test_answers_of_every_kind_get_the_same_in_both(both, sample):
    outside, inside = (told(reports[sample], "double") for reports in both)
    assert outside and outside == inside
