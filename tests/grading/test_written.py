"""Written answers of a small class: which there are, and a teacher's points in nbgrader's gradebook."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from nbgrader.api import Gradebook

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom.gradebook import grades
from autograder.classroom.journal import journal_of
from autograder.classroom.submissions import Classroom, Task
from autograder.cli import main
from autograder.errors import CourseError
from autograder.paths import Course
from autograder.teaching import written
from tests.conftest import LESSONS, ROOT
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
        return {answer.student: answer for answer in written.answers(course, gradebook, asked).answers}


def seen(answer):
    """What the page of an answer sends along."""
    return json.loads(answer.seen)


def save(course, student, points, comment, shown=None):
    """As the page does it; ``shown``: the answer as a page had it that was loaded before."""
    answer = shown or listed(course)[student]
    asked = written.question(course, NAME, "why")
    return written.save(course, asked, answer.submission, points, comment, seen(answer))


@pytest.fixture
def taken_back(graded) -> Iterator[None]:
    """Afterwards nobody has points or a comment by hand."""
    yield
    for student in listed(graded):
        save(graded, student, None, "")


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
    assert written.question(graded, NAME, "why").points == 2
    saved = save(graded, "ada", 1.5, "  More, please. ")
    assert (saved.count.waits, saved.count.graded, saved.count.empty) == (1, 1, 2)
    answer = listed(graded)["ada"]
    assert (answer.state, answer.points, answer.comment) == (saved.state, 1.5, "More, please.")
    assert saved.state == written.GRADED and grades(graded)["ada", NAME].score == 8.5
    saved = save(graded, "ada", None, "")
    answer = listed(graded)["ada"]
    assert (answer.state, answer.points, answer.comment) == (saved.state, None, "")
    assert saved.state == written.WAITS and save(graded, "cleo", None, "").state == written.EMPTY


@pytest.mark.parametrize("points", [-0.5, 2.01, float("nan"), float("inf"), "1", True, [1]])
def test_points_that_cannot_be_change_nothing(graded, points):
    with pytest.raises(CourseError, match="a number from 0 to 2"):
        save(graded, "bob", points, "")
    assert listed(graded)["bob"].state == written.WAITS


def test_what_is_not_there_is_said(graded, sums_course):
    asked, bob = written.question(graded, NAME, "why"), listed(graded)["bob"]
    with pytest.raises(CourseError, match="no longer in the gradebook"):
        written.save(graded, asked, "0" * 32, 1, "", seen(bob))
    with pytest.raises(CourseError, match="A comment is a text"):
        save(graded, "bob", 1, {"a": 1})
    odd = [None, [], {}, {"points": "1"}, seen(bob) | {"key": None}, seen(bob) | {"more": 1}]
    for said in odd:
        with pytest.raises(CourseError, match="what the page showed"):
            written.save(graded, asked, bob.submission, 1, "", said)
    for lesson, name in ((NAME, "double"), ("../..", "why")):
        with pytest.raises(CourseError, match="has no written question"):
            written.question(graded, lesson, name)
    with pytest.raises(CourseError, match="no gradebook yet"), written.opened(sums_course):
        pass


def test_grades_of_checks_are_not_fetched_for_the_counts(graded):
    """Of a class with every lesson they are twenty times as many, and the server has one thread."""
    with written.opened(graded) as gradebook:
        assert written.counts(gradebook) == {(NAME, "why"): written.Count(waits=2, empty=2)}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_rubric_says_what_the_points_are_for(lesson):
    """Whatever else stands in the model answer's cell; each has one thing to say for each point."""
    for asked in written.questions(Course(ROOT), lesson):
        assert asked.rubric.startswith("One point each: "), asked.name
        assert asked.rubric.count(";") + 1 == asked.points, asked.name
        assert asked.model and "One point each" not in asked.model and "details" not in asked.model + asked.rubric


@pytest.mark.usefixtures("taken_back")
def test_the_next_page_passes_over_nothing_that_waits(graded, monkeypatch):
    """Answers move behind the others as they are graded, so that the number of an answer is no place."""
    monkeypatch.setattr(written, "PER_PAGE", 1)
    asked = written.question(graded, NAME, "why")

    def page(after=""):
        with written.opened(graded) as gradebook:
            return written.answers(graded, gradebook, asked, after)

    first = page()
    assert (first.rest, first.rest_wait, first.before_wait) == (3, 1, 0)
    save(graded, first.answers[0].student, 2, "")
    second = page(first.following)
    assert {first.answers[0].student, second.answers[0].student} == {"ada", "bob"}
    assert (second.answers[0].state, second.rest, second.rest_wait) == (written.WAITS, 3, 0)
    seen_once, shown = [], second
    while shown.following:
        shown = page(shown.following)
        seen_once += [answer.student for answer in shown.answers]
    assert seen_once[0] == first.answers[0].student and set(seen_once[1:]) == {"cleo", "dan"}
    assert shown.before_wait == 1, "the second was looked at and left"
    assert page(first.following).answers[0].number == second.answers[0].number, "it is called the same on every visit"
    for unreadable in ("", "7-", "-", "x-y", "²-a", "0-"):
        assert page(unreadable).answers[0].state == written.WAITS


@pytest.mark.usefixtures("taken_back")
def test_what_another_tab_saved_is_not_overwritten(graded):
    old = listed(graded)["ada"]
    save(graded, "ada", 2, "A long careful comment", old)
    with pytest.raises(written.Changed, match="other points or another comment"):
        save(graded, "ada", None, "ps: see section 1", old)
    answer = listed(graded)["ada"]
    assert (answer.points, answer.comment) == (2, "A long careful comment")
    save(graded, "ada", 2, "A long careful comment", old)  # once more, since the server's answer was lost on its way


@pytest.mark.usefixtures("taken_back")
def test_points_are_of_the_text_that_was_shown(graded):
    old, journal = listed(graded)["ada"], journal_of(graded)
    task = Task("ada", NAME, Classroom(graded).submitted / "ada" / NAME)
    before = journal.read(task)
    assert before is not None
    files = [journal.folder / NAME / f"ada{suffix}" for suffix in (".ipynb", ".json", ".recorded")]
    kept = [path.read_bytes() for path in files]
    journal.write(task, replace(before, key="of what was handed in again"))
    with pytest.raises(written.Changed, match="graded again meanwhile"):
        save(graded, "ada", 2, "", old)
    assert listed(graded)["ada"].state == written.WAITS
    fresh = listed(graded)["ada"]
    assert fresh.flags[0] == written.UNRECORDED
    with pytest.raises(CourseError, match="could not be recorded yet"):
        save(graded, "ada", 2, "", fresh)
    for path, content in zip(files, kept, strict=True):
        path.write_bytes(content)


@pytest.mark.usefixtures("taken_back")
def test_a_comment_leaves_points_as_they_are_to_the_last_digit(graded):
    with Gradebook(f"sqlite:///{Classroom(graded).gradebook}") as gradebook:
        gradebook.find_grade("why", NAME, NAME, "ada").manual_score = 1.125
        gradebook.db.commit()
    answer = listed(graded)["ada"]
    assert answer.exact_points == "1.125"
    save(graded, "ada", float(answer.exact_points), "only a comment")
    assert listed(graded)["ada"].points == 1.125
    save(graded, "ada", 2, "")
    assert listed(graded)["ada"].exact_points == "2"
