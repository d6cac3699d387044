"""``course due``: when lessons are due, and who has longer."""

from __future__ import annotations

import argparse
from contextlib import suppress

from nbgrader.api import Gradebook, MissingEntry
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import CourseError
from ..paths import Course, find_course
from ..wording import listed, typed
from . import gradebook, late
from .grading_lock import alone
from .roster import WHERE, read_roster
from .submissions import Classroom, why_no_id


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", nargs="?", metavar="LESSON", help="a number or name; without one, all are listed")
    parser.add_argument(
        "date", nargs="*", metavar="DATE", help="2026-12-01, 2026-12-01 18:00 (this machine's time), or never"
    )
    parser.add_argument(
        "--student", action="append", default=[], metavar="ID", help="an extension for this student (may be repeated)"
    )


def command(args: argparse.Namespace) -> int:
    course, console = find_course(), Console()
    course.chosen()  # says what is wrong in pyproject.toml before a date is changed
    if args.lesson and args.date:
        set_due(course, course.lesson(args.lesson), " ".join(args.date), args.student)
        for sentence in _unknown(course, args.student):
            console.print(Text(sentence), soft_wrap=True)
    elif args.student or args.lesson:
        raise CourseError(
            f"Say for which lesson and until when, for instance {typed('due', '01', '2026-12-01 18:00')}."
        )
    show(course, console)
    return 0


def _unknown(course: Course, students: list[str]) -> list[str]:
    """What is said of ids that nobody has: they may be right all the same, before anybody handed in."""
    known = {*read_roster(course).people, *(t.student for t in Classroom(course).everything(course.lessons()))}
    return [
        f"! Nobody has the id {student!r}, in {WHERE} or in classroom/submitted/. Ids: {listed(sorted(known))}."
        for student in students
        if known and student not in known
    ]


def set_due(course: Course, lesson: str, date: str, students: list[str]) -> None:
    """Set a lesson's due date, or the extension of some students; "never" takes it back.

    Raises:
        CourseError: no such date or student id.
    """
    when = None if date == "never" else late.as_utc(date)
    for student in students:
        if why := why_no_id(student):
            raise CourseError(f"--student {student!r} cannot be a student's id, as {why}.")
    with alone(course):
        if not students:
            gradebook.prepare(course, lesson)
        for student in students:
            late.extend(course, lesson, student, when)
        if Classroom(course).has_gradebook:
            with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
                for student in students if when is None else ():
                    with suppress(MissingEntry):  # who has not handed in is not there yet
                        book.grant_extension(lesson, student)
                if not students:
                    book.update_or_create_assignment(lesson, duedate=when)
                late.renew(course, book)


def show(course: Course, console: Console) -> None:
    """The dates, extensions and what lateness costs."""
    dates, given = dates_of(course), late.extensions(course)
    table = Table(title="Due", title_justify="left")
    table.add_column("Lesson", no_wrap=True)
    table.add_column("Due")
    table.add_column("Longer for")
    for lesson in course.lessons():
        longer = [f"{student} until {late.as_local(until)}" for student, until in given.get(lesson, {}).items()]
        table.add_row(lesson, dates.get(lesson, "never"), Text("\n".join(longer)))
    console.print(table)
    console.print(Text(late.policy(course)))
    console.print(f"Points, tables and feedback follow when you run {typed('grade')} next.", highlight=False)


def dates_of(course: Course) -> dict[str, str]:
    """``{lesson: when it is due}`` of lessons that are due, in this machine's time."""
    if not Classroom(course).has_gradebook:
        return {}
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
        return {one.name: late.as_local(one.duedate) for one in book.assignments if one.duedate}
