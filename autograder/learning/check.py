"""``course check``: grade your own notebooks, hidden checks included. Your files are only read."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path

from rich.console import Console

from ..errors import CourseError, why_refused
from ..files import write_if_changed
from ..grading.execute import Limits, Options
from ..grading.grade import grade_submission
from ..grading.lesson import read_lesson
from ..grading.sandbox import choose_kernels
from ..grading.submission import Submission
from ..paths import Course, find_course
from ..reports.page import page, print_report
from ..wording import seconds, typed
from .own_tests import run_own_tests


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "lessons",
        nargs="*",
        metavar="LESSON",
        help="numbers, names or .ipynb files; all lessons in work/ when none is given",
    )
    parser.add_argument("--open", action="store_true", help="open the HTML report in the browser")
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=Limits.cell_seconds,
        metavar="SECONDS",
        help="longest time for a cell (default: %(default)g)",
    )


def command(args: argparse.Namespace) -> int:
    course, console = find_course(), Console()
    failed = 0
    for lesson, path in notebooks(course, args.lessons):
        console.rule(lesson, align="left")
        try:
            report_path = check(course, lesson, path, console, Limits.of_a_cell(args.timeout))
        except (CourseError, OSError) as error:  # the other lessons are checked all the same
            said = (
                error if isinstance(error, CourseError) else f"this machine refused something ({why_refused(error)})."
            )
            print(f"course: {said}", file=sys.stderr)
            failed += 1
            continue
        console.print(f"Report: {shown(report_path)}", soft_wrap=True, highlight=False, markup=False)
        if path == course.work_notebook(lesson):  # another folder may hold anybody's tests
            for told in run_own_tests(path.parent):
                console.print(f"Your own tests (no points): {told}", soft_wrap=True, highlight=False, markup=False)
        if args.open:
            webbrowser.open(report_path.as_uri())
    return 2 if failed else 0


def notebooks(course: Course, names: list[str]) -> list[tuple[str, Path]]:
    """``[(lesson, the learner's notebook)]`` for what was named, or for every copy in work/.

    Raises:
        CourseError: there is nothing to check.
    """
    if not names:
        found = [(lesson, course.work_notebook(lesson)) for lesson in course.lessons()]
        found = [(lesson, path) for lesson, path in found if path.is_file()]
        if not found:
            raise CourseError(
                "There is nothing to check yet: work/ holds no lesson. "
                f"{typed('lab')} puts your copies there and opens them."
            )
        return found
    return [_named(course, name) for name in names]


def _named(course: Course, name: str) -> tuple[str, Path]:
    if name.endswith(".ipynb"):
        path = Path(name)
        if not path.is_file():
            raise CourseError(f"{name} does not exist (or is not a file).")
        return course.lesson(path.stem), path.resolve()
    lesson = course.lesson(name)
    path = course.work_notebook(lesson)
    if not path.is_file():
        raise CourseError(
            f"You have no copy of {lesson} yet: {shown(path)} does not exist. "
            f"{typed('lab', name)} makes it and opens it."
        )
    return lesson, path


def check(course: Course, lesson: str, path: Path, console: Console, limits: Limits) -> Path:
    """Grade one notebook, print its tables, and write the HTML report, whose path is returned."""
    known = read_lesson(course, lesson)
    options = Options(limits, choose_kernels(own_machine=True))
    with console.status(f"Running {shown(path)} from top to bottom in a fresh kernel …"):
        report = grade_submission(Submission(path.read_bytes()), known, options).report
    if not report.readable:
        raise CourseError(f"{shown(path)} could not be graded. {' '.join(report.flags)}")
    print_report(report, console)
    report_path = course.work / "reports" / f"{lesson[:2]}.html"
    write_if_changed(report_path, page(report, f"Your results: {lesson}"))
    return report_path


def shown(path: Path) -> Path:
    """A path as short as it can be from here."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve())
    except ValueError:
        return path
