"""The answer bank: each answer of each lesson gets exactly what its header declares, on the real grading path."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import pytest

from autograder.authoring.answers import (
    Answer,
    combine,
    complaints,
    grade_group,
    read_answer,
    read_bank,
    reference_answers,
    submission,
)
from autograder.errors import CourseError
from autograder.grading.lesson import read_lesson
from autograder.paths import Course
from tests.conftest import LESSONS, ROOT
from tests.grading.conftest import graded

WAITING = ("04", "06", "07", "10")  # lessons whose checks wait: for timeouts, processes, servers
AT_ONCE = 2  # submissions of such a lesson


@lru_cache
def groups_of(name):
    course = Course(ROOT)
    return combine(read_bank(course, name), list(reference_answers(read_lesson(course, name))))


def together(name, index) -> str:
    """Tests of one submission stay in one worker; of lessons whose checks wait, those of all submissions."""
    return f"bank-{name}" if name.startswith(WAITING) else f"bank-{name}-{index}"


def bank_params():
    """One parameter per answer, grouped by the submission that it shares with answers to other exercises."""
    for name in LESSONS:
        for index, group in enumerate(groups_of(name)):
            for exercise, answer in group.items():
                yield pytest.param(
                    (name, index, exercise),
                    id=f"{name}-{answer.name}",
                    marks=[pytest.mark.slow, pytest.mark.xdist_group(together(name, index))],
                )


REPORTS = {}  # one kernel per group, whatever number of answers it holds
UNSOLVED = [pytest.param(name, id=name, marks=pytest.mark.xdist_group(f"unsolved-{name}")) for name in LESSONS]


def report_of(name, index, course, kernels):
    """The report of one submission of the bank, which is graded once; where checks wait, several wait together."""
    lesson, groups = read_lesson(course, name), groups_of(name)
    if (name, index) not in REPORTS and name.startswith(WAITING):
        with ThreadPoolExecutor(AT_ONCE) as pool:
            reports = pool.map(lambda group: grade_group(lesson, group, kernels), groups)
            REPORTS.update({(name, i): report for i, report in enumerate(reports)})
    elif (name, index) not in REPORTS:
        REPORTS[name, index] = grade_group(lesson, groups[index], kernels)
    return REPORTS[name, index]


def unsolved_report(lesson, kernels):
    if lesson.name not in REPORTS:
        REPORTS[lesson.name] = graded(lesson.release_text.encode(), lesson, kernels).report
    return REPORTS[lesson.name]


@pytest.mark.parametrize("place", list(bank_params()))
def test_an_answer_gets_what_it_declares(place, course, kernels):
    name, index, exercise = place
    assert not complaints(groups_of(name)[index][exercise], report_of(name, index, course, kernels))


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSOLVED)
def test_the_reference_gets_all_points_and_the_unsolved_lesson_none(name, course, kernels):
    lesson = read_lesson(course, name)
    solved = graded(submission(lesson, reference_answers(lesson)), lesson, kernels=kernels).report
    points, of = solved.automatic
    assert points == of > 0 and not solved.problem
    unsolved = unsolved_report(lesson, kernels)
    assert unsolved.automatic == (0, of) and unsolved.waiting == 0 and not unsolved.flags
    assert {check.message for check in unsolved.checks} <= {"Not written yet.", "Nothing was written here."}


@pytest.mark.parametrize("name", LESSONS)
def test_every_exercise_has_enough_answers(name, course):
    lesson, bank = read_lesson(course, name), read_bank(course, name)
    for exercise in reference_answers(lesson):
        mine = [answer for answer in bank if answer.exercise == exercise]
        right = [answer for answer in mine if answer.name.startswith("right_")]
        assert len(right) >= 2 and len(mine) - len(right) >= 5, f"{exercise}: {len(right)} right of {len(mine)}"
    assert {answer.exercise for answer in bank} <= set(reference_answers(lesson))


# the harness itself: it must notice every way in which an answer is not as declared

RIGHT = "# exercise: double\n# score:    3/3\n# why:      adds\ndef double(x):\n    return x + x\n"
WRONG = (
    "# exercise: double\n# score:    2/3\n# fails:    double-minus\n# says:     absolute value\n# why: y\n"
    "def double(x):\n    return 2 * abs(x)\n"
)


def answer_of(tmp_path, text, name="wrong_double.py"):
    path = tmp_path / name
    path.write_text(text)
    return read_answer(path)


@pytest.fixture(scope="module")
def report(sums, tmp_path_factory):
    return grade_group(sums, {"double": answer_of(tmp_path_factory.mktemp("bank"), WRONG)})


def test_an_answer_as_declared_has_no_complaint(report, tmp_path):
    assert complaints(answer_of(tmp_path, WRONG), report) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("2/3", "1/3", "score is 2/3, declared 1/3"),
        ("2/3", "2/4", "score is 2/3, declared 2/4"),
        ("absolute value", "whole numbers", "no message says 'whole numbers'"),
        ("double-minus", "double-two", "double-minus fails but is not declared to"),
        ("double-minus", "double-minus, double-two", "double-two is declared to fail but passes"),
        ("double-minus", "double-minus double-xx", "double-xx is declared to fail but passes (no such check)"),
        ("exercise: double", "exercise: triple", "no exercise `triple`"),
    ],
)
def test_an_answer_that_is_not_as_declared_is_noticed(report, tmp_path, old, new, complaint):
    found = complaints(answer_of(tmp_path, WRONG.replace(old, new)), report)
    assert any(complaint in line for line in found), found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("right_a.py", RIGHT.replace("3/3", "2/3")),
        ("right_a.py", RIGHT.replace("# why", "# fails: double-two\n# why")),
        ("wrong_a.py", WRONG.replace("2/3", "3/3")),
        ("wrong_a.py", WRONG.replace("# says:     absolute value\n", "")),
        ("wrong_a.py", WRONG.replace("# score:    2/3\n", "")),
        ("wrong_a.py", WRONG.replace("2/3", "most")),
        ("wrong_a.py", WRONG.replace("# exercise: double\n", "")),
    ],
)
def test_a_header_that_contradicts_itself_is_refused(tmp_path, name, text):
    with pytest.raises(CourseError, match=name):
        answer_of(tmp_path, text, name)


def test_answers_share_submissions_and_lonely_ones_do_not():
    answers = [Answer(f"a{i}", "a", 0, 1, "") for i in range(3)] + [Answer("b0", "b", 0, 1, "")]
    answers.append(Answer("b1", "b", 0, 1, "", alone=True))
    groups = combine(answers, ["a", "b"])
    assert [sorted(answer.name for answer in group.values()) for group in groups] == [
        ["a0", "b0"],
        ["a1"],
        ["a2"],
        ["b1"],
    ]
