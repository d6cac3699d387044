"""Written answers, graded by a person: what is asked, who wrote what, and the points into nbgrader's gradebook."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)

from ..classroom import late
from ..classroom.journal import journal_of
from ..classroom.submissions import Classroom, Task
from ..errors import CourseError
from ..grading.display import PART
from ..grading.lesson import read_lesson
from ..grading.report import Status
from ..paths import Course
from ..wording import typed

PER_PAGE = 50  # answers on one page; each comes out of a notebook of its own
MAX_SHOWN = 20_000  # characters of an answer
MAX_COMMENT = 20_000
LONG, LINE = 600, 50  # characters of an answer that may not fit, and of a line
WAITS, GRADED, EMPTY = "waits", "graded", "nothing written"


@dataclass
class Question:
    """One question whose answers a person grades. ``asked``, ``model`` and ``rubric`` are the lesson's own Markdown."""

    lesson: str
    name: str
    title: str
    points: float
    asked: str
    model: str
    rubric: str  # how the points are given: the last paragraph of the model answer


@dataclass
class Count:
    """How far the grading of one question is, in submissions."""

    waits: int = 0
    graded: int = 0
    empty: int = 0

    @property
    def all(self) -> int:
        return self.waits + self.graded + self.empty


@dataclass
class Answer:
    """One learner's answer. ``submission`` is the gradebook's id of the learner's notebook, and says nobody's name."""

    submission: str
    student: str
    name: str
    state: str  # WAITS, GRADED or EMPTY
    points: float | None
    comment: str
    text: str = ""
    flags: tuple[str, ...] = ()  # why a person should look at the notebook

    @property
    def is_long(self) -> bool:
        """Whether its text may have to be scrolled, so that the keyboard must reach it."""
        return len(self.text) > LONG or self.text.count("\n") > LONG // LINE


def questions(course: Course, lesson: str) -> list[Question]:
    """A lesson's written questions, in its order.

    Raises:
        CourseError: the lesson has not been built.
    """
    cells = read_lesson(course, lesson).solution.cells
    texts = {cell.id: cell.source for cell in cells}
    return [
        _question(lesson, cell, texts) for cell in cells if cell.metadata.get("course", {}).get("role") == "written"
    ]


def _question(lesson: str, cell: NotebookNode, texts: dict[str, str]) -> Question:
    name: str = cell.id
    asked = texts.get(f"{name}-text", "")
    heading, _, rest = asked.partition("\n")
    title = heading.lstrip("# ").strip() or name
    model = re.sub(r"</?details[^>]*>|<summary>.*?</summary>", "", texts.get(f"{name}-model", "")).strip()
    answer, _, rubric = model.rpartition("\n\n") if "\n\n" in model else (model, "", "")
    return Question(lesson, name, title, cell.metadata.nbgrader.points, rest.strip(), answer.strip(), rubric.strip())


def question(course: Course, lesson: str, name: str) -> Question:
    """One question.

    Raises:
        CourseError: there is no such lesson or question.
    """
    for found in questions(course, lesson) if lesson in course.lessons() else []:
        if found.name == name:
            return found
    raise CourseError(f"Lesson {lesson} has no written question {name!r}.")


@contextmanager
def opened(course: Course) -> Iterator[Gradebook]:
    """The class's gradebook.

    Raises:
        CourseError: nothing has been graded yet.
    """
    path = Classroom(course).gradebook
    if not path.is_file():
        raise CourseError(f"There is no gradebook yet. Run {typed('grade')} first; written answers come after that.")
    with Gradebook(f"sqlite:///{path}") as gradebook:
        yield gradebook


def counts(gradebook: Gradebook, only: Question | None = None) -> dict[tuple[str, str], Count]:
    """``{(lesson, question): count}`` of everything in the gradebook, or of one question, by one query."""
    found: dict[tuple[str, str], Count] = {}
    columns = (Assignment.name, BaseCell.name, Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade)
    rows = _grades(gradebook, *columns)
    if only is not None:
        rows = rows.filter(Assignment.name == only.lesson, BaseCell.name == only.name)
    for lesson, name, *marks in rows:
        count = found.setdefault((lesson, name), Count())
        state = _state(*marks)
        count.waits += state == WAITS
        count.graded += state == GRADED
        count.empty += state == EMPTY
    return found


def _state(auto: float | None, manual: float | None, waits: bool) -> str:
    """Where nothing was written, or could be read, grading gave 0; an answer has no points until a person gave some."""
    if manual is not None:
        return WAITS if waits else GRADED  # it waits once more when the notebook was handed in again
    return WAITS if auto is None else EMPTY


def _grades(gradebook: Gradebook, *columns: Any) -> Any:
    """Grades of cells in which learners write, joined with all that a page shows of them."""
    query = gradebook.db.query(*columns).select_from(Grade)
    query = query.join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
    query = query.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
    query = query.join(Student, SubmittedAssignment.student_id == Student.id)
    return query.join(BaseCell, Grade.cell_id == BaseCell.id)


def answers(course: Course, gradebook: Gradebook, asked: Question, start: int = 0) -> list[Answer]:
    """A page of answers from number ``start`` on: those that wait first, then graded ones, then empty ones.

    Within each, the order is that of the gradebook's random ids, so that names do not tell and are not told.
    """
    columns = (
        SubmittedNotebook.id,
        Student.id,
        Student.first_name,
        Student.last_name,
        Grade.auto_score,
        Grade.manual_score,
        Grade.needs_manual_grade,
    )
    rows = _grades(gradebook, *columns).filter(Assignment.name == asked.lesson, BaseCell.name == asked.name)
    found = [
        Answer(submission, student, f"{first or ''} {last or ''}".strip() or student, _state(*marks), marks[1], "")
        for submission, student, first, last, *marks in rows
    ]
    order = (WAITS, GRADED, EMPTY)
    found.sort(key=lambda answer: (order.index(answer.state), answer.submission))
    shown = found[start : start + PER_PAGE]
    comments = _comments(gradebook, asked)
    for answer in shown:
        answer.comment = comments.get(answer.submission, "")
        _fill_in(course, asked, answer)
    return shown


def _comments(gradebook: Gradebook, asked: Question) -> dict[str, str]:
    query = gradebook.db.query(Comment.notebook_id, Comment.manual_comment)
    query = query.join(SubmittedNotebook, Comment.notebook_id == SubmittedNotebook.id)
    query = query.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
    query = query.join(BaseCell, Comment.cell_id == BaseCell.id)
    rows = query.filter(Assignment.name == asked.lesson, BaseCell.name == asked.name)
    return {notebook: comment or "" for notebook, comment in rows}


def _fill_in(course: Course, asked: Question, answer: Answer) -> None:
    """What the learner wrote, from the journal."""
    task = Task(answer.student, asked.lesson, Classroom(course).submitted / answer.student / asked.lesson)
    entry = journal_of(course).read(task)
    if entry is None:
        answer.flags = (f"The journal has no result of this notebook. Run {typed('grade')} again to read it here.",)
        return
    answer.flags = tuple(entry.report.flags)
    written = {check.name: check.status for check in entry.report.checks if check.written}
    if written.get(asked.name) in (Status.WAITS, Status.GRADED):
        text = next((cell.source for cell in entry.notebook.cells if cell.id == asked.name), "")
        answer.text = text.replace(f"<{PART}", "<")  # put there for pages that show it as HTML; this one does not
    if len(answer.text) > MAX_SHOWN:
        answer.text = f"{answer.text[:MAX_SHOWN]} […]"
        answer.flags += (f"The answer has over {MAX_SHOWN} characters; this is its beginning.",)


def save(course: Course, asked: Question, submission: str, points: object, comment: object) -> Count:
    """Points and comment of one answer into nbgrader's gradebook; how far the question is then.

    Args:
        course: whose class.
        asked: the question.
        submission: as in :attr:`Answer.submission`.
        points: from 0 to the question's points; None takes them back, and the answer waits again.
        comment: plain text for the learner.

    Raises:
        CourseError: no such answer, or points or comment that cannot be; nothing was changed.
    """
    number, text = _checked_points(asked, points), _checked_comment(comment)
    with opened(course) as gradebook:
        try:
            notebook = gradebook.find_submission_notebook_by_id(submission)
            lesson, student = notebook.assignment.assignment.name, notebook.student.id
            if lesson != asked.lesson:
                raise MissingEntry(submission)
            grade = gradebook.find_grade(asked.name, lesson, lesson, student)
            remark = gradebook.find_comment(asked.name, lesson, lesson, student)
        except MissingEntry as error:
            raise CourseError("This answer is no longer in the gradebook. Load the page again.") from error
        grade.manual_score = number
        grade.needs_manual_grade = number is None and grade.auto_score is None
        remark.manual_comment = text or None
        gradebook.db.commit()
        late.renew(course, gradebook, notebook.assignment)  # a share of the points may be taken off for lateness
        return counts(gradebook, asked)[asked.lesson, asked.name]


def _checked_points(asked: Question, points: object) -> float | None:
    if points is None:
        return None
    fits = isinstance(points, int | float) and not isinstance(points, bool) and math.isfinite(points)
    if not fits or not 0 <= float(points) <= asked.points:  # type: ignore[arg-type]
        raise CourseError(f"Points are a number from 0 to {asked.points:g}.")
    return float(points)  # type: ignore[arg-type]


def _checked_comment(comment: object) -> str:
    if not isinstance(comment, str) or len(comment) > MAX_COMMENT:
        raise CourseError(f"A comment is a text of at most {MAX_COMMENT} characters.")
    return comment.strip()
