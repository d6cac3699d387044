"""Written answers of a small class: which there are, and a teacher's points in nbgrader's gradebook."""

from __future__ import annotations

import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom.gradebook import grades
from autograder.cli import main
from autograder.errors import CourseError
from autograder.paths import Course
from autograder.teaching import written
from tests.grading.conftest import NAME, make_course

pytestmark = pytest.mark.xdist_group("gradebook")


@pytest.fixture(scope="module")
def graded(tmp_path_factory, course, sums) -> Course:
    """Two who wrote, one who did not, one whose file is broken; graded."""
    made = make_course(tmp_path_factory.mktemp("written") / "course", course.config)
    right = reference_answers(sums)
    handed_in = {
        "ada": submission(sums, right | {"why": "Because <b>it</b> is so."}),
        "bob": submission(sums, right | {"why": "x" * (written.MAX_SHOWN + 1)}),
        "cleo": submission(sums, right),
        "dan": b"{",
    }
    for student, raw in handed_in.items():
        folder = made.classroom / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_ROOT", str(made.root))
        assert main(["grade"]) == 0
    return made


def listed(course):
    with written.opened(course) as gradebook:
        asked = written.question(course, NAME, "why")
        return {answer.student: answer for answer in written.answers(course, gradebook, asked)}


def test_answers_that_wait_come_first_and_nobody_else_waits(graded):
    found = listed(graded)
    assert {student: answer.state for student, answer in found.items()} == {
        "ada": written.WAITS, "bob": written.WAITS, "cleo": written.EMPTY, "dan": written.EMPTY,
    }  # fmt: skip
    assert set(list(found)[:2]) == {"ada", "bob"}
    assert found["ada"].text == "Because <b>it</b> is so." and found["cleo"].text == ""
    assert len(found["bob"].text) < written.MAX_SHOWN + 10 and "its beginning" in found["bob"].flags[-1]
    assert "not valid JSON" in found["dan"].flags[0]


def test_points_and_comment_are_in_the_gradebook_at_once_and_can_be_taken_back(graded):
    asked, ada = written.question(graded, NAME, "why"), listed(graded)["ada"].submission
    assert asked.points == 2
    count = written.save(graded, asked, ada, 1.5, "  More, please. ")
    assert (count.waits, count.graded, count.empty) == (1, 1, 2)
    answer = listed(graded)["ada"]
    assert (answer.state, answer.points, answer.comment) == (written.GRADED, 1.5, "More, please.")
    assert grades(graded)["ada", NAME].score == 8.5
    written.save(graded, asked, ada, None, "")
    answer = listed(graded)["ada"]
    assert (answer.state, answer.points, answer.comment) == (written.WAITS, None, "")


@pytest.mark.parametrize("points", [-0.5, 2.01, float("nan"), float("inf"), "1", True, [1]])
def test_points_that_cannot_be_change_nothing(graded, points):
    asked, bob = written.question(graded, NAME, "why"), listed(graded)["bob"].submission
    with pytest.raises(CourseError, match="a number from 0 to 2"):
        written.save(graded, asked, bob, points, "")
    assert listed(graded)["bob"].state == written.WAITS


def test_what_is_not_there_is_said(graded, sums_course):
    asked = written.question(graded, NAME, "why")
    with pytest.raises(CourseError, match="no longer in the gradebook"):
        written.save(graded, asked, "0" * 32, 1, "")
    with pytest.raises(CourseError, match="A comment is a text"):
        written.save(graded, asked, listed(graded)["bob"].submission, 1, {"a": 1})
    for lesson, name in ((NAME, "double"), ("../..", "why")):
        with pytest.raises(CourseError, match="has no written question"):
            written.question(graded, lesson, name)
    with pytest.raises(CourseError, match="no gradebook yet"), written.opened(sums_course):
        pass
