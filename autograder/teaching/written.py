"""Written answers, graded by a person: what is asked, who wrote what, and the points into nbgrader's gradebook."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)

from ..classroom import late
from ..classroom.journal import journal_of
from ..classroom.recording import is_in_book
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
ORDER = (WAITS, GRADED, EMPTY)  # of answers on pages
CHANGED = (
    "the gradebook has other points or another comment by now, from another tab or from Formgrader. "
    "Copy what you wrote here, and load the page again."
)
UNRECORDED = (
    f"The result of this notebook could not be recorded yet, so what the gradebook has is of an earlier one. "
    f"Run {typed('grade')} first; then load the page again."
)
HANDED_IN_AGAIN = (
    "this notebook was graded again meanwhile, so the answer may be another than the one shown here. "
    "Copy what you wrote here, and load the page again."
)


class Changed(CourseError):
    """Something has changed since the page was made; saving would overwrite it unseen."""


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


@dataclass(frozen=True)
class Seen:
    """What a person had before them: points and comment as the gradebook has them, and the journal's key."""

    points: float | None
    comment: str
    key: str  # of the notebook that the text is from; "" where the journal has none


@dataclass
class Answer:
    """One learner's answer. ``submission`` is the gradebook's id of the learner's notebook, and says nobody's name."""

    submission: str
    student: str
    name: str
    state: str  # WAITS, GRADED or EMPTY
    points: float | None
    comment: str
    number: int = 0  # what it is called; the same on every visit
    key: str = ""  # of the notebook, see :class:`Seen`
    text: str = ""
    flags: tuple[str, ...] = ()  # why a person should look at the notebook

    @property
    def seen(self) -> str:
        """What the page shows, as JSON; it comes back with the points, see :func:`save`."""
        return json.dumps(asdict(Seen(self.points, self.comment, self.key)))

    @property
    def exact_points(self) -> str:
        """Points to be changed by a person: all their digits, since they are saved again with a comment."""
        return "" if self.points is None else repr(self.points).removesuffix(".0")

    @property
    def is_long(self) -> bool:
        """Whether its text may have to be scrolled, so that the keyboard must reach it."""
        return len(self.text) > LONG or self.text.count("\n") > LONG // LINE


@dataclass
class Shown:
    """One page of answers, and what stands on the pages before and after it."""

    answers: list[Answer]
    following: str = ""  # where the next page goes on, see :func:`answers`; "" where nothing follows
    rest: int = 0  # answers that follow
    rest_wait: int = 0  # how many of them wait
    before_wait: int = 0  # answers that wait and come before this page


@dataclass
class Saved:
    """What has become of an answer, and of its question."""

    count: Count
    state: str
    seen: Seen


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
    folded = texts.get(f"{name}-model", "").rsplit("</details>", 1)[0]  # a note for the lesson's reader may stand below
    model = re.sub(r"</?details[^>]*>|<summary>.*?</summary>", "", folded).strip()
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
    """``{(lesson, question): count}`` of all written answers in the gradebook, or of one question, by one query."""
    found: dict[tuple[str, str], Count] = {}
    columns = (Assignment.name, BaseCell.name, Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade)
    texts = sqlalchemy.select(GradeCell.id).where(GradeCell.cell_type == "markdown")  # twenty times as many are checks'
    rows = _grades(gradebook, *columns).filter(BaseCell.id.in_(texts))
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


def answers(course: Course, gradebook: Gradebook, asked: Question, after: str = "") -> Shown:
    """A page of answers: those that wait first, then graded ones, then empty ones.

    Within each, the order is that of the gradebook's random ids, so that names do not tell and are not told.

    Args:
        course: whose class.
        gradebook: opened.
        asked: the question.
        after: :attr:`Shown.following` of the page before: a place in that order, and no number, since answers move
            back in it as they are graded.
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
    found.sort(key=lambda answer: answer.submission)
    for number, answer in enumerate(found, start=1):
        answer.number = number
    found.sort(key=_place)
    behind = _read_place(after)
    before = [answer for answer in found if _place(answer) <= behind]
    shown, rest = found[len(before) : len(before) + PER_PAGE], found[len(before) + PER_PAGE :]
    comments = _comments(gradebook, asked)
    for answer in shown:
        answer.comment = comments.get(answer.submission, "")
        _fill_in(course, gradebook, asked, answer)
    following = "{}-{}".format(*_place(shown[-1])) if rest else ""
    return Shown(shown, following, len(rest), _waiting(rest), _waiting(before))


def _place(answer: Answer) -> tuple[int, str]:
    return ORDER.index(answer.state), answer.submission


def _read_place(text: str) -> tuple[int, str]:
    """What an address says; before everything where it says nothing that can be read."""
    state, _, submission = text.partition("-")
    known = [str(number) for number in range(len(ORDER))]
    return (known.index(state), submission) if state in known else (0, "")


def _waiting(those: list[Answer]) -> int:
    return sum(answer.state == WAITS for answer in those)


def _comments(gradebook: Gradebook, asked: Question) -> dict[str, str]:
    query = gradebook.db.query(Comment.notebook_id, Comment.manual_comment)
    query = query.join(SubmittedNotebook, Comment.notebook_id == SubmittedNotebook.id)
    query = query.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
    query = query.join(BaseCell, Comment.cell_id == BaseCell.id)
    rows = query.filter(Assignment.name == asked.lesson, BaseCell.name == asked.name)
    return {notebook: comment or "" for notebook, comment in rows}


def _fill_in(course: Course, gradebook: Gradebook, asked: Question, answer: Answer) -> None:
    """What the learner wrote, from the journal."""
    journal, task = journal_of(course), _task(course, answer.student, asked.lesson)
    entry = journal.read(task)
    if entry is None:
        answer.flags = (f"The journal has no result of this notebook. Run {typed('grade')} again to read it here.",)
        return
    answer.key = entry.key
    answer.flags = tuple(entry.report.flags)
    if not is_in_book(gradebook, journal, task):
        answer.flags = (UNRECORDED, *answer.flags)
    written = {check.name: check.status for check in entry.report.checks if check.written}
    if written.get(asked.name) in (Status.WAITS, Status.GRADED):
        text = next((cell.source for cell in entry.notebook.cells if cell.id == asked.name), "")
        answer.text = text.replace(f"<{PART}", "<")  # put there for pages that show it as HTML; this one does not
    if len(answer.text) > MAX_SHOWN:
        answer.text = f"{answer.text[:MAX_SHOWN]} […]"
        answer.flags += (f"The answer has over {MAX_SHOWN} characters; this is its beginning.",)


def _task(course: Course, student: str, lesson: str) -> Task:
    return Task(student, lesson, Classroom(course).submitted / student / lesson)


def save(course: Course, asked: Question, submission: str, points: object, comment: object, seen: object) -> Saved:
    """Points and comment of one answer into nbgrader's gradebook, unless something else is there than was seen.

    Args:
        course: whose class.
        asked: the question.
        submission: as in :attr:`Answer.submission`.
        points: from 0 to the question's points; None takes them back, and the answer waits again.
        comment: plain text for the learner.
        seen: the fields of :class:`Seen`, as the page was made from them or as the last save left them.

    Raises:
        Changed: somebody else saved something meanwhile, or the notebook was graded again; nothing was changed.
        CourseError: no such answer, or points or comment that cannot be; nothing was changed.
    """
    number, text, before = _checked_points(asked, points), _checked_comment(comment), _checked_seen(seen)
    with opened(course) as gradebook:
        gradebook.db.execute(sqlalchemy.text("BEGIN IMMEDIATE"))  # nobody writes between the look and the change
        try:
            notebook = gradebook.find_submission_notebook_by_id(submission)
            lesson, student = notebook.assignment.assignment.name, notebook.student.id
            if lesson != asked.lesson:
                raise MissingEntry(submission)
            grade = gradebook.find_grade(asked.name, lesson, lesson, student)
            remark = gradebook.find_comment(asked.name, lesson, lesson, student)
        except MissingEntry as error:
            raise CourseError("This answer is no longer in the gradebook. Load the page again.") from error
        journal, task = journal_of(course), _task(course, student, lesson)
        key = journal.key(task)
        now = Seen(grade.manual_score, remark.manual_comment or "", key)
        wanted = Seen(number, text, now.key)
        if before.key != now.key:
            raise Changed(HANDED_IN_AGAIN)
        if key and not is_in_book(gradebook, journal, task):
            raise CourseError(UNRECORDED)
        if now not in (before, wanted):  # what is wanted may be there: its answer to the page was lost
            raise Changed(CHANGED)
        grade.manual_score = number
        grade.needs_manual_grade = number is None and grade.auto_score is None
        remark.manual_comment = text or None
        gradebook.db.flush()
        late.renew(course, gradebook, notebook.assignment)  # lateness may cost a share of the points; it commits all
        state = _state(grade.auto_score, grade.manual_score, grade.needs_manual_grade)
        return Saved(counts(gradebook, asked)[asked.lesson, asked.name], state, wanted)


def _checked_seen(seen: object) -> Seen:
    try:
        found = Seen(**seen)  # type: ignore[arg-type]
    except TypeError:
        found = None
    fits = found and isinstance(found.points, int | float | None)
    if not (found and fits and isinstance(found.comment, str) and isinstance(found.key, str)):
        raise CourseError("This does not say what the page showed. Load the page again.")
    return found


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
