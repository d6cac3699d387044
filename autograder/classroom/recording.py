"""Stage 4, record: many results at once into nbgrader's gradebook, in one transaction; one writer at a time.

nbgrader's own Autograde records one submission by dozens of queries and transactions. Here its tables are filled
through its own classes, a batch at a time: the queries are as many for a hundred submissions as for one. What is
recorded is the same as by its commands (:mod:`.nbgrader_adapter` shares the lines that say what a result comes to).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import (
    BaseCell,
    Comment,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from nbgrader.api import Grade as Points
from nbgrader.utils import rmtree

from ..grading.report import CheckResult, Report, Status
from ..grading.text import clean
from ..nbgrader_glue import nbgrader_config
from ..paths import Course
from . import handing_over, late
from .gradebook import (
    Grade,
    MadeOf,
    Marks,
    RecordError,
    autograded_path,
    is_by_hand,
    made_of,
    note_made_of,
    open_gradebook,
)
from .journal import Entry, Journal
from .plain_files import odd_folder
from .submissions import Task, parsed_time, read_time

READ_ONLY = 0o444  # of what nbgrader calls autograded
EARLIER = "Written on an earlier result: "  # before a person's comment that a result of other work finds


@dataclass
class Recorded:
    """What the gradebook has of one submission after it was recorded, or why it could not be."""

    grade: Grade | None = None
    marks: Marks | None = None
    failure: str = ""


def record(course: Course, journal: Journal, tasks: list[Task]) -> dict[Task, Recorded]:
    """Write results of one lesson, which the journal holds, into the gradebook. Grades by hand are kept.

    Where the batch fails, each is tried alone: what is wrong with one is in its failure and touches no other. The
    caller notes in the journal what was recorded, after this: a grader that is killed before it records again.

    Args:
        tasks: of one lesson, at most a few hundred: their ids go into one query.
    """
    try:
        return _record(course, journal, tasks)
    except Exception as error:  # the database's, the disk's, nbgrader's
        if len(tasks) == 1:
            return {tasks[0]: Recorded(failure=clean(str(error) or type(error).__name__))}
    return {task: done for one in tasks for task, done in record(course, journal, [one]).items()}


def _record(course: Course, journal: Journal, tasks: list[Task]) -> dict[Task, Recorded]:
    entries = {task: entry for task in tasks if (entry := journal.read(task))}
    found = {task: Recorded(failure="the journal has no result") for task in tasks if task not in entries}
    with open_gradebook(course) as book:
        batch = _Batch(course, book, tasks[0].lesson, [task.student for task in entries])
        for task, entry in entries.items():
            again, same_work = is_of(batch.before(task), journal, task)
            if again and not batch.has(task, entry.report):  # another program wrote them
                again = same_work = False
            batch.score(task, entry.report, again, same_work)
            batch.made_of[batch.submissions[task.student].id] = MadeOf(entry.result, entry.content)
        note_made_of(book, batch.made_of)
        book.db.flush()
        found |= {task: batch.recorded(task) for task in entries}
        book.db.commit()
    for task, entry in entries.items():
        _write_files(course, task, entry)
    return found


def is_of(before: MadeOf | None, journal: Journal, task: Task) -> tuple[bool, bool]:
    """Whether the gradebook's rows are of the journal's last result, and whether they are of the same work.

    The gradebook itself says it: it may have been put back from a copy. Of what an older version recorded, which noted
    nothing there, the journal's own notes say it.
    """
    if before is None and not journal.is_noted_in_book(task):
        return bool(journal.recorded(task).gradebook), journal.is_of_work_recorded(task)
    before = before or MadeOf("", "")
    return before.result == journal.result(task), bool(before.work) and before.work == journal.content(task)


def is_in_book(gradebook: Gradebook, journal: Journal, task: Task) -> bool:
    """Whether the gradebook's points of a submission are of the journal's last result, not of an earlier one.

    Raises:
        MissingEntry: it has none.
    """
    submission = gradebook.find_submission(task.lesson, task.student).id
    return is_of(made_of(gradebook, [submission]).get(submission), journal, task)[0]


def _write_files(course: Course, task: Task, entry: Entry) -> None:
    """The executed notebook, time and secret, where Formgrader and nbgrader look for them."""
    folder = autograded_path(course, task).parent
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        rmtree(str(folder))
    folder.mkdir(parents=True)
    autograded_path(course, task).write_bytes(entry.notebook_text.encode("utf-8", "replace"))
    if not odd_folder(task.folder):
        handing_over.carry_small(task.folder, folder)
    for path in folder.iterdir():
        path.chmod(READ_ONLY)


class _Batch:
    """Rows of some students for one lesson: those that are there, and new ones for the others."""

    def __init__(self, course: Course, book: Gradebook, lesson: str, students: list[str]) -> None:
        self.db, self.notebook = book.db, book.find_notebook(lesson, lesson)
        self.extensions = late.extensions(course)
        self.plugin = late.LatePenalty(config=nbgrader_config(course))
        self.names = dict(
            self.db.query(BaseCell.id, BaseCell.name).filter(BaseCell.notebook_id == self.notebook.id).all()
        )
        self.max_score = self.notebook.assignment.max_score
        self._find(students)
        self.made_of = made_of(book, [one.id for one in self.submissions.values()])
        self._make({student for student in students if student not in self.submissions})

    def _find(self, students: list[str]) -> None:
        mine, db = self.notebook, self.db
        self.students = {one.id: one for one in db.query(Student).filter(Student.id.in_(students))}
        query = db.query(SubmittedAssignment).filter(SubmittedAssignment.assignment_id == mine.assignment_id)
        query = query.filter(SubmittedAssignment.student_id.in_(students))
        self.submissions = {one.student_id: one for one in query}
        whose = {one.id: one.student_id for one in self.submissions.values()}
        query = db.query(SubmittedNotebook).filter(SubmittedNotebook.notebook_id == mine.id)
        self.notebooks = {
            whose[one.assignment_id]: one for one in query.filter(SubmittedNotebook.assignment_id.in_(whose))
        }
        owners = {one.id: student for student, one in self.notebooks.items()}
        self.grades: dict[str, dict[str, Any]] = {student: {} for student in students}
        self.comments: dict[str, dict[str, Any]] = {student: {} for student in students}
        for kind, rows in ((Points, self.grades), (Comment, self.comments)):
            # with both columns the table's index is used; by the notebook alone every row would be read
            query = db.query(kind).filter(kind.cell_id.in_(list(self.names)), kind.notebook_id.in_(list(owners)))
            for row in query:
                rows[owners[row.notebook_id]][self.names[row.cell_id]] = row

    def _make(self, students: Iterable[str]) -> None:
        """What nbgrader's ``add_submission`` makes, without its queries and a transaction for each.

        Columns that are empty are named: what is not named would be asked of the database, row by row.
        """
        assignment = self.notebook.assignment
        for student in sorted(students):
            if student not in self.students:
                self.students[student] = Student(id=student, first_name=None, last_name=None)
                self.db.add(self.students[student])
            empty = {"timestamp": None, "extension": None}
            submission = SubmittedAssignment(id=new_uuid(), assignment_id=assignment.id, student_id=student, **empty)
            self.db.add(submission)
            self.submissions[student] = submission
            for notebook in assignment.notebooks:
                self._make_notebook(student, submission, notebook)
        self.db.flush()  # from here on a submission knows its assignment

    def _make_notebook(self, student: str, submission: SubmittedAssignment, notebook: Notebook) -> None:
        about = {"notebook_id": notebook.id, "assignment_id": submission.id, "late_submission_penalty": None}
        made = SubmittedNotebook(id=new_uuid(), **about)
        nothing = {"auto_score": None, "manual_score": None, "extra_credit": None}
        graded = [*notebook.grade_cells, *notebook.task_cells]
        grades = {cell.name: Points(cell_id=cell.id, notebook_id=made.id, **nothing) for cell in graded}
        written = [*notebook.solution_cells, *notebook.task_cells]
        silent = {"auto_comment": None, "manual_comment": None}
        comments = {cell.name: Comment(cell_id=cell.id, notebook_id=made.id, **silent) for cell in written}
        self.db.add_all([made, *grades.values(), *comments.values()])
        if notebook is self.notebook:
            self.notebooks[student], self.grades[student], self.comments[student] = made, grades, comments

    def before(self, task: Task) -> MadeOf | None:
        """What the rows were made of; None where that is not noted."""
        return self.made_of.get(self.submissions[task.student].id)

    def has(self, task: Task, report: Report) -> bool:
        """Whether the rows come to what the checks of a result gave."""
        return math.isclose(_automatic(self.grades[task.student].values()), report.automatic[0])

    def score(self, task: Task, report: Report, again: bool, same_work: bool) -> None:
        """One result into its rows.

        Args:
            again: this very result has been there before, and only times have changed.
            same_work: a result of the same work has been there, perhaps by other checks.

        Raises:
            RecordError: the gradebook knows other checks: the lesson has been built anew since this was graded.
        """
        submission, results = self.submissions[task.student], {check.name: check for check in report.checks}
        if unknown := results.keys() - self.grades[task.student].keys():
            raise RecordError(
                f"the gradebook has no check {min(unknown)!r}: the lesson was changed meanwhile. Grade it again."
            )
        submission.timestamp = handed_in_at(task)  # also none: a time that is there is of what was handed in before
        for name, grade in self.grades[task.student].items():
            take_score(grade, report, results.get(name), again, same_work)
        for name, comment in self.comments[task.student].items():
            take_comment(comment, report, name, again or same_work)
        give_name(self.students[task.student])
        late.apply_extension(submission, self.extensions)
        points = sum(map(points_of, self.grades[task.student].values()))
        late.penalise(submission, {self.notebooks[task.student]: points}, self.plugin)

    def recorded(self, task: Task) -> Recorded:
        """What the rows come to."""
        submission, grades = self.submissions[task.student], self.grades[task.student]
        penalty = self.notebooks[task.student].late_submission_penalty or 0
        due = submission.duedate if submission.assignment.duedate else None
        by_hand = [
            name for name, row in grades.items() if is_by_hand(row.auto_score, row.manual_score, row.extra_credit)
        ]
        grade = Grade(
            sum(map(points_of, grades.values())) - penalty,
            self.max_score,
            any(row.needs_manual_grade for row in grades.values()),
            penalty,
            submission.total_seconds_late if due else 0,
            str(due or ""),
            str(submission.timestamp or ""),
            bool(by_hand),
            any(row.needs_manual_grade and row.auto_score is None for row in grades.values()),
            any(
                row.needs_manual_grade and is_by_hand(row.auto_score, row.manual_score, row.extra_credit)
                for row in grades.values()
                if row.auto_score is not None
            ),
            _automatic(grades.values()),
            self.made_of[submission.id].result,
        )
        marks = Marks(
            {name: points_of(row) for name, row in grades.items()},
            by_hand,
            {name: said for name, row in self.comments[task.student].items() if (said := said_in(row))},
            penalty,
            due is not None,
            [name for name in by_hand if grades[name].needs_manual_grade],
        )
        return Recorded(grade, marks)


def _automatic(rows: Iterable[Points]) -> float:
    """What checks gave."""
    return sum(row.auto_score or 0.0 for row in rows)


def handed_in_at(task: Task) -> datetime | None:
    """The time in ``timestamp.txt``, as nbgrader keeps it; None where there is none, or it is no time.

    Raises:
        OSError: this machine or its disk refuses to read it.
    """
    return parsed_time(read_time(Path(task.folder)) or "")


def points_of(grade: Points) -> float:
    """Points of a grade as nbgrader's ``score`` counts them, of a row that is not written yet."""
    given = grade.auto_score if grade.manual_score is None else grade.manual_score
    return 0.0 if given is None else float(given + (grade.extra_credit or 0.0))


def said_in(comment: Comment) -> str | None:
    """A comment as nbgrader's ``comment`` has it."""
    said: str | None = comment.auto_comment if comment.manual_comment is None else comment.manual_comment
    return said


def take_score(
    grade: Points, report: Report, result: CheckResult | None, again: bool = False, same_work: bool = False
) -> None:
    """A check's points into its row; a grade by hand stays, and of a new result it is looked at again.

    Where the result is not new, what a person has seen to by then waits no more, also where they left the points alone.
    Nor does a grade by hand wait where the same work got the same points once more.
    """
    points = result.points if result else 0  # the report may have no result for this check
    by_hand = grade.manual_score is not None or bool(grade.extra_credit)
    same = grade.auto_score == points
    seen_to = (again and (by_hand or (points is not None and same))) or (same_work and by_hand and same)
    if not seen_to:
        grade.needs_manual_grade = points is None or by_hand or report.needs_person
    grade.auto_score = points


def take_comment(comment: Comment, report: Report, exercise: str, same_work: bool = False) -> None:
    """What is said of an exercise into its row. A comment by hand stays, and says so where the work is another one."""
    statuses = {check.status for check in report.checks if check.exercise == exercise}
    nothing = "No response." if statuses == {Status.NOT_WRITTEN} else None
    comment.auto_comment = " ".join(report.flags) or nothing
    by_hand = comment.manual_comment
    if by_hand and not same_work and not by_hand.startswith(EARLIER):
        comment.manual_comment = EARLIER + by_hand


def give_name(student: Student) -> None:
    """Formgrader shows people by name, and somebody without one as "None, None"; their id says more."""
    if student.last_name is None and student.first_name is None:
        student.last_name, student.first_name = student.id, ""
