"""nbgrader's gradebook: what a lesson's checks are, what it says of a class, and the pages made from it.

Results are written into it by :mod:`.recording`.
"""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbgrader.api
import sqlalchemy
from alembic.script import ScriptDirectory
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Gradebook,
    MissingEntry,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.api import Grade as Grades
from nbgrader.converters import BaseConverter, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import func
from sqlalchemy.dialects.sqlite import insert
from traitlets.config import Config

from .. import files
from ..errors import CourseError
from ..grading.sandbox.folders import scratch_folder
from ..nbgrader_glue import ConverterLog, nbgrader_config
from ..paths import Course
from ..reports.feedback import feedback_page, pages_version
from ..wording import typed
from . import handing_over, late
from .journal import Journal
from .submissions import Classroom, Task, odd_time_of_one, parsed_time, time_of


@lru_cache(maxsize=4)
def _engine(url: str, file_number: int) -> sqlalchemy.Engine:
    return sqlalchemy.create_engine(url)


def _engine_once(url: str, **options: Any) -> sqlalchemy.Engine:
    """nbgrader opens the gradebook ten times for a submission; a new engine each time compiles every query anew."""
    path = Path(url.removeprefix("sqlite:///"))
    return _engine(url, path.stat().st_ino) if path.is_file() else sqlalchemy.create_engine(url, **options)


def _schema_version() -> str | None:
    """Of a new gradebook. nbgrader would call the `alembic` command, which takes a second and may not be on PATH."""
    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


nbgrader.api.create_engine = _engine_once
nbgrader.api.get_alembic_version = _schema_version


# What rows of nbgrader's were made of, noted beside them in the same file: a copy that is put back says what it is of.
_MADE_OF = sqlalchemy.Table(
    "course_made_of",
    sqlalchemy.MetaData(),
    sqlalchemy.Column("id", sqlalchemy.String, primary_key=True),  # of a submission, or of a lesson's notebook
    sqlalchemy.Column("result", sqlalchemy.String, nullable=False),
    sqlalchemy.Column("work", sqlalchemy.String, nullable=False),
)


@dataclass(frozen=True)
class MadeOf:
    """What the points and comments of a submission were made of, or what the gradebook knows of a lesson's checks."""

    result: str  # as `Journal.result`; of a lesson the hash of its solution
    work: str = ""  # as `Journal.content`; of a lesson, as JSON, what each check and written answer is worth


class RecordError(Exception):
    """nbgrader could not write one result; the text is its own last words."""


@dataclass
class Grade:
    """What the gradebook says of one submission, grades by hand and penalties included."""

    score: float
    max_score: float
    needs_manual_grade: bool
    penalty: float = 0  # points that are taken off for lateness; ``score`` is without them
    seconds_late: float = 0
    due: str = ""  # when it was due, an extension included
    handed_in: str = ""  # the time that the gradebook knows
    by_hand: bool = False  # a person set some of its points, or added to them
    answer_waits: bool = False  # something that no check gives points for waits for a person
    of_before: bool = False  # points that a person set for a check, or added, stay over a result that came later
    automatic: float = 0  # what its checks gave
    result: str = ""  # which these points are of, as `MadeOf.result`

    def lateness(self) -> str:
        """What the late penalty was made from: changes when the work is handed in again or the due date is moved."""
        return f"handed in {self.handed_in or 'at no known time'}, due {self.due or 'never'}"


@dataclass
class Marks:
    """What a person may have added to a submission's result, by the names of checks and answers."""

    scores: dict[str, float]  # of every check and written answer
    by_hand: list[str]  # those whose points a person has set, or added to
    comments: dict[str, str]
    penalty: float
    is_due: bool = False  # at some time: then it matters when it was handed in
    again: list[str] = field(default_factory=list)  # of those by hand, what waits to be read: other work came since
    made_of: MadeOf | None = None  # where it is known

    def in_order(self) -> tuple[object, ...]:
        """The same for the same marks, in whatever order they were found."""
        marks = sorted(self.scores.items()), sorted(self.by_hand), sorted(self.comments.items()), float(self.penalty)
        return *marks, self.is_due, sorted(self.again)


def _config(course: Course, lesson: str) -> Config:
    config = nbgrader_config(course)
    config.CourseDirectory.root = str(course.root)
    config.CourseDirectory.db_url = "sqlite:///" + str(Classroom(course).gradebook)
    config.CourseDirectory.assignment_id = lesson
    return config


@contextmanager
def _converter(kind: type[BaseConverter], config: Config) -> Iterator[Any]:
    """A converter whose log is kept; what it raises becomes a RecordError with nbgrader's words."""
    log, before = ConverterLog(), nbgrader.api.app_log
    converter = kind(coursedir=CourseDirectory(config=config), config=config)
    converter.log = converter.coursedir.log = nbgrader.api.app_log = log.logger
    try:
        with warnings.catch_warnings():  # nbgrader's database layer warns about its own habits
            warnings.simplefilter("ignore")
            yield converter
    except (Exception, SystemExit) as error:
        raise RecordError(f"{error} {log.last_words()}".strip()) from error
    finally:
        nbgrader.api.app_log = before


def prepare(course: Course, lesson: str) -> None:
    """Tell the gradebook of a lesson's checks, if it does not know them yet or they have changed.

    ``notebooks/`` stays as it is: the release that nbgrader makes on the way goes to a scratch folder.
    Points by hand for what is worth another number of points now wait to be looked at again.

    Raises:
        CourseError: checks were added or removed after submissions had been graded.
    """
    version = hashlib.sha256(course.solution_notebook(lesson).read_bytes()).hexdigest()
    known, before = _known(course, lesson)
    if known == version:
        return
    _make_gradebook(course)
    config = _config(course, lesson)
    config.CourseDirectory.notebook_id = lesson
    config.GenerateAssignment.force = True
    with scratch_folder("release") as scratch:
        config.CourseDirectory.release_directory = str(scratch)
        try:
            with _converter(GenerateAssignment, config) as converter:
                converter.start()
        except RecordError as error:
            if "Cannot add or remove cells" in str(error) or "submissions associated" in str(error):
                raise CourseError(
                    f"The checks of {lesson} are not the ones that the gradebook has grades for (a check was added or "
                    "removed). Keep the old gradebook under another name (grades given by hand and due dates are in "
                    f"it), for instance classroom/gradebook-old.db, run {typed('grade')} again, and start "
                    f"{typed('teacher')} anew: one that runs still has the old gradebook open."
                ) from error
            raise CourseError(f"nbgrader could not take {lesson} into the gradebook: {error}") from error
    with open_gradebook(course) as gradebook:
        notebook = gradebook.find_notebook(lesson, lesson)
        worth = _worth(notebook)
        changed = {name for name, points in worth.items() if before.get(name, points) != points}
        _let_wait(gradebook, notebook, changed)
        note_made_of(gradebook, {notebook.id: MadeOf(version, json.dumps(worth))})
        gradebook.db.commit()


def _make_gradebook(course: Course) -> None:
    """An empty gradebook that is there as a whole: nbgrader never finishes one that was begun."""
    path = Classroom(course).gradebook
    if Classroom(course).has_gradebook:
        return
    course.make_classroom()
    beside = path.with_name(f".{path.name}.new")
    for left in path.parent.glob(f"{beside.name}*"):
        left.unlink()
    Gradebook(f"sqlite:///{beside}").close()
    course.close_classroom()  # before anything is in it
    beside.replace(path)


def _known(course: Course, lesson: str) -> tuple[str, dict[str, float]]:
    """Which version of a lesson the gradebook knows, and what its checks and written answers were worth in it.

    What they were worth is noted with the version: nbgrader's own Generate changes its rows without a word to us.
    """
    if not Classroom(course).has_gradebook:
        return "", {}
    with open_gradebook(course) as gradebook:
        try:
            notebook = gradebook.find_notebook(lesson, lesson)
        except MissingEntry:
            return "", {}
        known = made_of(gradebook, [notebook.id]).get(notebook.id, MadeOf(""))
        return known.result, json.loads(known.work) if known.work else _worth(notebook)


def _worth(notebook: Notebook) -> dict[str, float]:
    """``{name: most points}`` of the checks and written answers that the gradebook knows."""
    return {cell.name: cell.max_score for cell in (*notebook.grade_cells, *notebook.task_cells)}


def _let_wait(gradebook: Gradebook, notebook: Notebook, names: set[str]) -> None:
    """Let the class's points by hand for some checks and answers wait; counts when the caller commits."""
    cells = [cell.id for cell in (*notebook.grade_cells, *notebook.task_cells) if cell.name in names]
    query = gradebook.db.query(Grades).filter(Grades.cell_id.in_(cells), by_hand())
    query.update({Grades.needs_manual_grade: True}, synchronize_session=False)


@contextmanager
def open_gradebook(course: Course) -> Iterator[Gradebook]:
    """nbgrader's gradebook of a class; closed afterwards."""
    with Gradebook("sqlite:///" + str(Classroom(course).gradebook)) as gradebook:
        yield gradebook


def made_of(gradebook: Gradebook, ids: Iterable[str] | None = None) -> dict[str, MadeOf]:
    """``{id of a submission or notebook: what its rows were made of}``, where it is known; of all, or those named."""
    if not sqlalchemy.inspect(gradebook.db.connection()).has_table(_MADE_OF.name):
        return {}
    query = gradebook.db.query(_MADE_OF)
    if ids is not None:
        query = query.filter(_MADE_OF.c.id.in_(list(ids)))
    return {one: MadeOf(result, work) for one, result, work in query}


def note_made_of(gradebook: Gradebook, known: dict[str, MadeOf]) -> None:
    """Note what rows were made of; counts when the gradebook's own changes are committed."""
    _MADE_OF.create(gradebook.db.connection(), checkfirst=True)
    rows = [{"id": one, "result": what.result, "work": what.work} for one, what in known.items()]
    new = insert(_MADE_OF)
    new = new.on_conflict_do_update(["id"], set_={"result": new.excluded.result, "work": new.excluded.work})
    if rows:
        gradebook.db.execute(new, rows)


def renew_lateness(course: Course, task: Task | None = None) -> None:
    """Let dates, extensions, policy and points by hand that were changed since count for what is recorded already.

    Of one submission where it is named.
    """
    with open_gradebook(course) as gradebook:
        late.renew(course, gradebook, task and gradebook.find_submission(task.lesson, task.student))


def is_recorded(course: Course, journal: Journal, task: Task, grade: Grade | None) -> bool:
    """Whether the gradebook has this very result, from this time of handing in and due date, and nbgrader its file."""
    handed_in = str(parsed_time(time_of(task.folder) or "") or "")
    return bool(
        grade
        and journal.recorded(task).gradebook == grade.lateness()
        and grade.handed_in == handed_in
        and (report := journal.report(task))
        and grade.result == journal.result(task)  # else the gradebook was put back from a copy
        and math.isclose(grade.automatic, report.automatic[0])
        and autograded_path(course, task).is_file()
    )


def grades(course: Course) -> dict[tuple[str, str], Grade]:
    """``{(student, lesson): grade}`` of everything in the gradebook."""
    columns: list[Any] = [SubmittedAssignment, Assignment.name, Assignment.duedate, Assignment.max_score]
    waiting, checked = Grades.needs_manual_grade, Grades.auto_score.is_not(None)
    answers = func.max(sqlalchemy.and_(waiting, sqlalchemy.not_(checked)))
    of_before = func.max(sqlalchemy.and_(waiting, checked, by_hand()))
    sums = (
        func.sum(Grades.score),
        func.sum(Grades.auto_score),
        func.max(waiting),
        func.max(by_hand()),
        answers,
        of_before,
    )
    found = {}
    with open_gradebook(course) as gradebook:
        query = (
            gradebook.db.query(*columns, *sums).select_from(SubmittedAssignment).join(SubmittedAssignment.assignment)
        )
        query = query.outerjoin(SubmittedAssignment.notebooks).outerjoin(SubmittedNotebook.grades)
        lost, known = penalties(gradebook), made_of(gradebook)
        query = query.group_by(SubmittedAssignment.id)
        for submission, lesson, due, most, score, auto, *said in query:
            late, until = (submission.total_seconds_late, submission.duedate) if due else (0, None)
            penalty = lost.get(submission.id, 0.0)
            handed_in = str(submission.timestamp or "")
            times = late, str(until or ""), handed_in
            waits, given, answer_waits, stands = map(bool, said)
            signs = given, answer_waits, stands
            result = known[submission.id].result if submission.id in known else ""
            grade = Grade((score or 0.0) - penalty, most, waits, penalty, *times, *signs, auto or 0.0, result)
            found[submission.student_id, lesson] = grade
    return found


def penalties(gradebook: Gradebook) -> dict[str, float]:
    """``{id of a submission: points that lateness costs}`` of those that lose some."""
    lost = func.sum(SubmittedNotebook.late_submission_penalty)
    query = gradebook.db.query(SubmittedNotebook.assignment_id, lost).group_by(SubmittedNotebook.assignment_id)
    return {submission: penalty for submission, penalty in query if penalty}


def is_by_hand(auto: float | None, manual: float | None, extra: float | None) -> bool:
    """Whether a person set points, or added some: nbgrader adds extra credit to points only, not to what waits."""
    return manual is not None or (auto is not None and bool(extra))


def by_hand() -> sqlalchemy.ColumnElement[bool]:
    """:func:`is_by_hand` of a row, in a query."""
    added = sqlalchemy.and_(Grades.auto_score.is_not(None), func.coalesce(Grades.extra_credit, 0) != 0)
    return sqlalchemy.or_(Grades.manual_score.is_not(None), added)


def marks_of(course: Course, lesson: str, student: str | None = None) -> dict[str, Marks]:
    """``{student: marks}`` of a lesson, by a few queries for the whole class; of one student where one is named."""
    found: dict[str, Marks] = {}
    with open_gradebook(course) as gradebook:
        columns: tuple[Any, ...] = SubmittedAssignment.id, SubmittedAssignment.student_id, Assignment.duedate
        lost = SubmittedAssignment.late_submission_penalty
        rows = [*_of_lesson(gradebook, lesson, student, *columns, lost)]
        known = made_of(gradebook, None if student is None else [row[0] for row in rows])
        for submission, name, due, penalty in rows:
            found[name] = Marks({}, [], {}, penalty or 0, due is not None, made_of=known.get(submission))
        columns = SubmittedAssignment.student_id, BaseCell.name, Grades.score
        given = Grades.needs_manual_grade, Grades.auto_score, Grades.manual_score, Grades.extra_credit
        for name, cell, score, waits, *points in _of_lesson(
            gradebook, lesson, student, *columns, *given, joined=Grades
        ):
            found[name].scores[cell] = score
            if is_by_hand(*points):
                found[name].by_hand.append(cell)
                if waits:
                    found[name].again.append(cell)
        columns = SubmittedAssignment.student_id, BaseCell.name, Comment.comment
        for name, cell, comment in _of_lesson(gradebook, lesson, student, *columns, joined=Comment):
            if comment:
                found[name].comments[cell] = comment
    return found


def _of_lesson(gradebook: Gradebook, lesson: str, student: str | None, *columns: Any, joined: Any = None) -> Any:
    query = gradebook.db.query(*columns).select_from(SubmittedAssignment)
    query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
    if joined is not None:
        query = query.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        query = query.join(joined, joined.notebook_id == SubmittedNotebook.id)
        query = query.join(BaseCell, BaseCell.id == joined.cell_id)
    query = query.filter(Assignment.name == lesson)
    return query if student is None else query.filter(SubmittedAssignment.student_id == student)


def write_feedback(course: Course, journal: Journal, task: Task, marks: Marks, lateness: str | None = None) -> None:
    """The page that the student gets, where something of it has changed since it was written.

    Args:
        lateness: of a result that has just been recorded: noted in the journal, also when the page cannot be written.

    Raises:
        OSError: it cannot be written.
    """
    path, recorded = feedback_path(course, task), journal.recorded(task)
    odd = odd_time_of_one(task, marks.is_due)
    beside = autograded_path(course, task).parent
    about = repr((pages_version(), journal.key(task), marks.in_order(), odd, handing_over.small_in(beside)))
    stamp = hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()
    entry = None if recorded.feedback == stamp and path.is_file() else journal.read(task)
    noted = replace(recorded)
    try:
        if lateness is not None:
            noted.gradebook, noted.in_book = lateness, True
        if entry is not None:
            page = feedback_page(entry.report, entry.answers, marks, task.student, odd)
            files.write_whole(path, page.encode("utf-8", "replace"))
            handing_over.carry_small(beside, path.parent, single=False)
            noted.feedback = stamp
    finally:
        if noted != recorded:
            journal.note(task, noted)


def autograded_path(course: Course, task: Task) -> Path:
    """The executed notebook as nbgrader and Formgrader know it."""
    return course.classroom / "autograded" / task.student / task.lesson / f"{task.lesson}.ipynb"


def feedback_path(course: Course, task: Task) -> Path:
    """Where nbgrader releases feedback from."""
    return course.classroom / "feedback" / task.student / task.lesson / f"{task.lesson}.html"
