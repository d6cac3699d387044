"""``course export``: the class's points as the gradebooks of Canvas and Moodle, or a spreadsheet, take them in.

Each is one row a learner, made by a plugin of nbgrader's ``export`` command, so that
``nbgrader export --exporter=autograder.classroom.export.CanvasExport --to FILE`` writes the same.
"""

from __future__ import annotations

import argparse
import csv
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import Grade, Gradebook, SubmittedNotebook
from nbgrader.plugins import ExportPlugin
from rich.console import Console
from rich.text import Text
from sqlalchemy import and_, func, or_
from traitlets import Bool, Dict

from ..authoring import navigation
from ..errors import CourseError
from ..files import write_whole
from ..paths import Course, find_course
from ..reports.page import number
from ..wording import listed, typed
from .gradebook import by_hand, made_of, penalties, renew_lateness
from .grading_lock import only_grader
from .journal import journal_of
from .outcome import AGAIN, OTHER_VERSION, lesson_of, why_not_of_now
from .recording import is_of
from .roster import WHERE, Person, for_spreadsheet, read_roster
from .submissions import Classroom, Task, is_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "lessons",
        nargs="*",
        metavar="LESSON",
        help="numbers or names; without one, all in which something is graded",
    )
    parser.add_argument("--to", choices=sorted(EXPORTS), default="csv", help="what it is for (default: %(default)s)")
    parser.add_argument("--file", type=Path, metavar="FILE", help="default: classroom/export-canvas.csv and the like")
    parser.add_argument(
        "--column", action="append", default=[], metavar="LESSON=NAME", help="what the column is called there"
    )
    parser.add_argument("--zero", action="store_true", help="0 points, not an empty cell, for who handed in nothing")


def command(args: argparse.Namespace) -> int:
    course, console = find_course(), Console()
    if not Classroom(course).has_gradebook:
        raise CourseError(f"There is no gradebook yet. Run {typed('grade')} first.")
    plugin = EXPORTS[args.to]()
    plugin.to = str(args.file or course.classroom / f"export-{args.to}.csv")
    plugin.assignment = [course.lesson(name) for name in args.lessons]
    plugin.columns = _columns(course, args.column)
    plugin.zero = args.zero
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as gradebook:
        plugin.export(gradebook)
    for sentence in plugin.said:
        console.print(Text(f"! {sentence}"), soft_wrap=True)
    console.print(Text(f"{plugin.to}: {len(plugin.rows)} learners."), soft_wrap=True)
    return 0


def _columns(course: Course, given: list[str]) -> dict[str, str]:
    columns = {}
    for text in given:
        lesson, sign, name = text.partition("=")
        if not sign or not name.strip():
            raise CourseError(f"--column {text!r} names no column. Write it like --column '01=Lab 1 (4711)'.")
        columns[course.lesson(lesson)] = name.strip()
    return columns


@dataclass
class Row:
    """A learner's points: ``{lesson: points}`` of what was handed in and graded.

    ``unread`` has the lessons whose file could not be read and of which no person gave points: what it is worth is not
    known. Nor is that of ``ungraded``, lessons that were handed in and not graded yet.
    """

    person: Person
    points: dict[str, float] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    ungraded: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was handed in."""
        return not (self.points or self.unread or self.ungraded)


@dataclass(frozen=True)
class Sums:
    """What the grades of one submission come to."""

    score: float = 0  # without what lateness costs
    waits: bool = False  # something of it waits for a person
    by_hand: bool = False  # a person set points of it, or added to them
    by_hand_waits: bool = False  # some of these are of what was handed in before, until somebody says that they hold
    has_points: bool = False  # a check or a person gave points for something of it, be it 0

    @property
    def is_known_by_hand(self) -> bool:
        """Whether a person gave points for this very work."""
        return self.by_hand and not self.by_hand_waits


def sums_of(gradebook: Gradebook) -> dict[str, Sums]:
    """By the ids of submissions, in one query; nbgrader's own properties read every grade for each submission."""
    checked, waiting = Grade.auto_score.is_not(None), Grade.needs_manual_grade
    signs = [func.max(one) for one in (waiting, by_hand(), and_(by_hand(), waiting), or_(by_hand(), checked))]
    query = gradebook.db.query(SubmittedNotebook.assignment_id, func.sum(Grade.score), *signs)
    query = query.join(SubmittedNotebook.grades).group_by(SubmittedNotebook.assignment_id)
    return {submission: Sums(score, *map(bool, found)) for submission, score, *found in query}


class WideExport(ExportPlugin):
    """One row a learner: everybody in the roster and everybody who handed in."""

    columns: Any = Dict(help="What a lesson's column is called, by lesson.").tag(config=True)
    zero = Bool(False, help="0 points, not an empty cell, for who handed in nothing.").tag(config=True)
    default_file = "grades-wide.csv"

    def export(self, gradebook: Gradebook) -> None:
        """Write the file that ``to`` names. Called by :func:`command` and by ``nbgrader export``.

        Raises:
            CourseError: there is nothing to write, or a setting that the teacher chose cannot be.
            SystemExit: the same in ``nbgrader export``, which says why in its log.
        """
        try:
            self._export(gradebook)
        except CourseError as error:
            if self.parent is None:  # no command of nbgrader's, whose user would get a traceback
                raise
            self.log.error(str(error))
            raise SystemExit(1) from error

    def _export(self, gradebook: Gradebook) -> None:
        self.course, self.said = find_course(), list[str]()
        if Path(gradebook.db.get_bind().url.database or "").resolve() == Classroom(self.course).gradebook.resolve():
            with only_grader(self.course):
                renew_lateness(self.course)
            gradebook.db.expire_all()
        named = self.assignment or [one.name for one in gradebook.assignments if one.submissions]
        chosen = [one for one in gradebook.assignments if one.name in named]
        lessons = {one.name: one.max_score for one in sorted(chosen, key=lambda one: one.name)}
        if not lessons:
            raise CourseError(
                f"Nothing of {', '.join(self.assignment) or 'the course'} is graded. Run {typed('grade')}."
            )
        ungraded = [name for name in self.assignment if name not in lessons]
        self.say(ungraded, f"Nothing of {{}} is graded, so it has no column. Run {typed('grade')}.")
        self.rows = self._rows(chosen, gradebook)
        titles = [self._title(lesson) for lesson in lessons]
        if len(set(titles)) < len(titles):
            raise CourseError(f"Two columns have one name: {', '.join(titles)}. Give each its own by --column.")
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in self.table(titles, lessons):
            writer.writerow(map(for_spreadsheet, row))
        write_whole(Path(self.to or self.default_file), text.getvalue().encode())
        self.course.close_classroom()  # where learners may go through it

    def table(self, titles: list[str], lessons: dict[str, float]) -> list[list[str]]:
        """The whole file as cells. ``lessons``: their points; ``titles``: their columns."""
        head = [["id", "name", "email", *titles, "total"]]
        body = []
        for row in self.rows:
            cells = self.cells(row, lessons)
            total = number(sum(row.points.get(lesson, 0) for lesson in lessons)) if any(cells) else ""
            body.append([row.person.id, row.person.name, row.person.email, *cells, total])
        return head + body

    def cells(self, row: Row, lessons: dict[str, float]) -> list[str]:
        """Points of each lesson; empty where nothing was handed in, or nothing whose points are known."""
        return [self._cell(row, lesson) for lesson in lessons]

    def _cell(self, row: Row, lesson: str) -> str:
        if lesson in row.points:
            return number(row.points[lesson])
        return "0" if self.zero and lesson not in row.unread | row.ungraded else ""

    def _title(self, lesson: str) -> str:
        if lesson in self.columns or not self.course.source(lesson).is_file():
            return str(self.columns.get(lesson, lesson))
        return f"{lesson[:2]} {navigation.about(self.course, lesson).title}"

    def _rows(self, chosen: list[Any], gradebook: Gradebook) -> list[Row]:
        made, sums, lost = made_of(gradebook), sums_of(gradebook), penalties(gradebook)
        roster = read_roster(self.course)
        self.said += roster.wrong
        rows = {person.id: Row(person) for person in roster.people.values()}
        waiting, unread, gone, before, refused, old = (list[str]() for _ in range(6))
        journal, classroom = journal_of(self.course), Classroom(self.course)
        rest = set(classroom.everything(self.assignment or self.course.lessons()))
        for assignment in chosen:
            known = lesson_of(self.course, assignment.name)
            for submission in assignment.submissions:
                who, lesson = submission.student_id, assignment.name
                row, shown = rows.setdefault(who, Row(Person(who, who))), f"{who} ({lesson})"
                task = Task(who, lesson, classroom.submitted / who / lesson)
                is_there = task in rest
                why = why_not_of_now(task, journal, known) if is_there else ""
                again = why == AGAIN
                rest.discard(task)
                is_recorded = is_of(made.get(submission.id), journal, task)[0]
                mine = sums.get(submission.id, Sums())
                report = None if mine.is_known_by_hand else journal.report(task)
                if again and report is not None and not (report.handed_in and report.readable):
                    rest.add(task)
                    continue
                if report is not None and not report.handed_in:
                    continue
                if is_there and not is_recorded and not mine.has_points:  # somebody began to grade it
                    rest.add(task)
                    continue
                if report is not None and not report.readable:
                    row.unread.add(lesson)
                    unread.append(shown)
                    continue
                row.points[lesson] = max(0.0, mine.score - lost.get(submission.id, 0.0))
                waiting += [shown] if mine.waits else []
                gone += [] if is_folder(task.folder) else [shown]
                before += [shown] if again or (journal.key(task) and not is_recorded) else []
                old += [shown] if why == OTHER_VERSION else []
                refused += [shown] if why not in ("", AGAIN, OTHER_VERSION) else []
        ungraded = sorted(rest, key=lambda task: (task.student, task.lesson))
        for task in ungraded:
            rows.setdefault(task.student, Row(Person(task.student, task.student))).ungraded.add(task.lesson)
        self.say(waiting, "Something still waits for a person, so these points may change: {}.")
        self.say(unread, "What was handed in cannot be read, so the cell is empty: {}. Ask for the file again.")
        for what, there in (("the cell is empty", True), ("there is no column", False)):
            who = [f"{t.student} ({t.lesson})" for t in ungraded if (t.lesson in {one.name for one in chosen}) is there]
            self.say(who, f"Handed in and not graded yet, so {what}: {{}}. Run {typed('grade')}.")
        self.say(
            before,
            "Something else was handed in, and is not graded or not recorded yet, so the points are of what was handed "
            f"in before: {{}}. Run {typed('grade')}.",
        )
        self.say(
            old,
            "The lesson, the grader or the file's name or time was changed since this was graded, so these points may "
            f"change: {{}}. Run {typed('grade')}.",
        )
        self.say(refused, "What was handed in cannot be read now, so the points are of what was read before: {}.")
        self.say(
            gone,
            "No longer in classroom/submitted/, but still in the gradebook, so in this file all the same: {}. "
            f"In a terminal of {typed('teacher')}, `nbgrader db student remove ID --force` takes somebody out.",
        )
        found = [row for name, row in sorted(rows.items()) if not self.student or name in self.student]
        self.say([row.person.id for row in found if row.is_empty], "Handed in nothing: {}.")
        return found

    def say(self, who: list[str], sentence: str) -> None:
        """A sentence about some people, where there are any."""
        if who:
            self.said.append(sentence.format(listed(who)))


class CsvExport(WideExport):
    """For spreadsheets: id, name, address, a column for each lesson, the sum."""


class CanvasExport(WideExport):
    """What Canvas's gradebook imports: its five first columns, and the points possible as its second line.

    A column goes to the assignment of that name; Canvas writes the number behind it, as in "Lab 1 (4711)".
    """

    default_file = "export-canvas.csv"

    def table(self, titles: list[str], lessons: dict[str, float]) -> list[list[str]]:
        """Canvas finds people by its own number, else by the school's id or login."""
        head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        possible = ["    Points Possible", "", "", "", "", *(number(points) for points in lessons.values())]
        body, unknown = [], []
        for row in self.rows:
            ids = [row.person.lms.get(column, "") for column in ("canvas_id", "sis_id", "login", "section")]
            first, _, last = row.person.name.rpartition(" ")
            body.append([f"{last}, {first}" if first else last, *ids, *self.cells(row, lessons)])
            unknown += [] if any(ids[:3]) else [row.person.id]
        self.say(unknown, f"Canvas cannot know who these are ({WHERE} has no canvas_id, sis_id or login): {{}}.")
        return [[*head, *titles], possible, *body]


class MoodleExport(WideExport):
    """What Moodle's *Grades, Import, CSV file* takes: people by ID number or address, mapped on its page."""

    default_file = "export-moodle.csv"

    def table(self, titles: list[str], lessons: dict[str, float]) -> list[list[str]]:
        """First and last name are for people; Moodle asks which column says who it is."""
        head = ["First name", "Last name", "ID number", "Email address", *titles]
        body, unknown = [], []
        for row in self.rows:
            first, _, last = row.person.name.rpartition(" ")
            known = [row.person.lms.get("idnumber", ""), row.person.email]
            body.append([first, last, *known, *self.cells(row, lessons)])
            unknown += [] if any(known) else [row.person.id]
        self.say(unknown, f"Moodle cannot know who these are ({WHERE} has no email or idnumber): {{}}.")
        return [head, *body]


EXPORTS: dict[str, type[WideExport]] = {"csv": CsvExport, "canvas": CanvasExport, "moodle": MoodleExport}
