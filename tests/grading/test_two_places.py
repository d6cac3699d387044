"""One test text, two places: the grader gives every answer the points and words that the notebook itself gives."""

from __future__ import annotations

import pytest

from autograder.authoring.answers import grade_group, reference_answers, submission
from autograder.grading.lesson import read_lesson
from tests.conftest import LESSONS
from tests.grading.conftest import graded
from tests.grading.test_answers import UNSOLVED, WAITING, groups_of, report_of, together, unsolved_report

pytestmark = pytest.mark.slow


def places():
    """One parameter per submission of the bank, in the group of the test that grades it outside the kernel.

    Of lessons whose checks wait, submissions of wrong answers alone are left to ``-m exhaustive``.
    """
    for name in LESSONS:
        for index, group in enumerate(groups_of(name)):
            marks = [pytest.mark.xdist_group(together(name, index))]
            if name.startswith(WAITING) and all(answer.name.startswith("wrong_") for answer in group.values()):
                marks.append(pytest.mark.exhaustive)
            yield pytest.param(name, index, id=f"{name}-{index}", marks=marks)


def told(report):
    return {check.name: (check.points, check.passed, check.message) for check in report.checks}


@pytest.mark.parametrize(("name", "index"), list(places()))
def test_every_answer_of_the_bank_gets_the_same_in_both(name, index, course, kernels):
    inside = grade_group(read_lesson(course, name), groups_of(name)[index], kernels, checks_in_kernel=True)
    assert told(report_of(name, index, course, kernels)) == told(inside)


@pytest.mark.parametrize("name", UNSOLVED)
def test_the_unsolved_lesson_gets_the_same_in_both(name, course, kernels):
    lesson = read_lesson(course, name)
    inside = graded(lesson.release_text.encode(), lesson, kernels, True).report
    assert told(unsolved_report(lesson, kernels)) == told(inside)


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


@pytest.mark.xdist_group("two-places")
@pytest.mark.parametrize("sample", SAMPLES)
def test_answers_of_every_kind_get_the_same_in_both(sums, sample):
    raw = submission(sums, reference_answers(sums) | {"double": SAMPLES[sample]})
    outside, inside = (graded(raw, sums, in_kernel=inside).report for inside in (False, True))
    assert told(outside) == told(inside)
