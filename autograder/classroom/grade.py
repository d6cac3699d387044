"""``course grade``: every submission of the class, through the four stages, into nbgrader's gradebook."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Task as ProgressTask
from rich.table import Table
from rich.text import Text

from ..authoring import navigation
from ..errors import CourseError
from ..files import write_if_changed
from ..grading.execute import Limits, Options
from ..grading.lesson import Lesson, read_lesson
from ..grading.report import Report
from ..grading.sandbox import choose_kernels, imported, not_for_submissions
from ..grading.text import clean
from ..paths import Course, find_course
from ..reports.page import line, number
from ..wording import typed
from .class_report import About, class_page, misconceptions_page, overview
from .grade_task import grade_task, is_graded
from .grading_lock import only_grader
from .journal import journal_of
from .outcome import Outcome, outcome_of
from .roster import Roster, is_formula, read_roster, take_over
from .stopping import Stop, end_processes, started
from .submissions import Classroom, Task

if TYPE_CHECKING:
    from .gradebook import Grade, Marks

LOOK_AGAIN = 0.2  # seconds until a Ctrl-C is noticed
STOPPED = 130  # exit status of a command that Ctrl-C ended
MEMORY_OF_A_KERNEL = 1_500_000_000  # bytes; TensorFlow imported, a lesson's work done


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names; all when none is given")
    parser.add_argument("--student", action="append", metavar="ID", help="only this student (may be repeated)")
    parser.add_argument("--force", action="store_true", help="grade again what has not changed")
    parser.add_argument("--workers", type=int, metavar="N", help="submissions that run at once (default: cores)")
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="grade without isolation where this machine has none; every report says so",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="default: classroom/grades.json")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="default: classroom/grades.csv")
    parser.add_argument(
        "--timeout",
        type=float,
        default=Limits.cell_seconds,
        metavar="SECONDS",
        help="for a cell (default: %(default)g)",
    )


def command(args: argparse.Namespace) -> int:
    try:
        return _grade_class(args)
    except Exception as error:
        if not isinstance(error, OSError) and not type(error).__module__.startswith("sqlalchemy"):
            raise
        why = clean((str(error).splitlines() or [type(error).__name__])[0])
        raise CourseError(
            f"The class could not be graded to its end ({why}). Is the disk full, or does another program hold "
            "classroom/gradebook.db? What was graded is kept in classroom/journal/; run the same command again."
        ) from error


def _grade_class(args: argparse.Namespace) -> int:
    console, classroom = Console(), Classroom(find_course())
    if args.workers is not None and args.workers < 1:
        raise CourseError(f"--workers {args.workers} grades nothing. Give 1 or more, or leave it out: then one a core.")
    course, tasks = classroom.course, chosen(classroom, args.lessons, args.student)
    lessons = {name: read_lesson(course, name) for name in dict.fromkeys(task.lesson for task in tasks)}
    modules = imported("".join(lesson.solution_text for lesson in lessons.values()))
    choice = {"unsafe": args.unsafe, "hidden": not_for_submissions(course), "modules": modules}
    with only_grader(course), choose_kernels(**choice) as kernels, Stop() as stop:
        options = Options(Limits(cell_seconds=args.timeout), kernels)
        workers = args.workers or sensible_workers()
        grader = Grader(classroom, lessons, options, workers, args.force, console, stop)
        outcomes = grader.grade(tasks)
        if stop.asked and len(outcomes) < len(tasks):
            console.print(
                f"Stopped: {len(outcomes)} of {len(tasks)} submissions are done and kept. Run the same command "
                f"again{' (without --force)' * args.force} for the rest.",
                highlight=False,
            )
            return STOPPED
        everybody = whole_class(classroom, outcomes)
        folder = course.classroom
        try:
            rest = without_result(classroom, everybody)
            write_tables(everybody, args.csv or folder / "grades.csv", args.json or folder / "grades.json", rest)
            page = write_class_report(classroom, everybody)
        except OSError as error:
            raise CourseError(
                f"The tables and the class report could not be written ({error.strerror or error}: {error.filename}). "
                "The results are in the journal; make room, and run the same command again."
            ) from error
    show(outcomes, classroom, console, everybody=not args.student)
    console.print(f"The class: {page.relative_to(course.root)}", highlight=False, soft_wrap=True)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def sensible_workers() -> int:
    """As many as there are cores, but no more than fit into memory."""
    return max(1, min(os.cpu_count() or 1, psutil.virtual_memory().available // MEMORY_OF_A_KERNEL))


def chosen(classroom: Classroom, lessons: list[str], students: list[str] | None) -> list[Task]:
    """The submissions to grade.

    Raises:
        CourseError: an unknown lesson or student, or nothing to grade.
    """
    known = classroom.students()
    unknown = sorted(set(students or []) - set(known))
    if unknown:
        raise CourseError(
            f"There is no student {unknown[0]!r} in classroom/submitted/. Students: {', '.join(known[:20])}."
        )
    named = [classroom.course.lesson(name) for name in lessons] or classroom.course.lessons()
    tasks = classroom.tasks(list(dict.fromkeys(named)), list(dict.fromkeys(students or known)))
    if not tasks:
        strangers = classroom.strangers()
        hint = f" {strangers[0]}" if strangers else ""
        raise CourseError(
            f"Nobody handed in {', '.join(named)}.{hint} Submissions belong at "
            "classroom/submitted/STUDENT/LESSON/LESSON.ipynb."
        )
    return tasks


@dataclass
class Grader:
    """Grades, records and writes feedback for a class, with one line per submission as it is done.

    Submissions run side by side; the thread that calls :meth:`grade` alone writes the gradebook. What fails for one
    submission is said in its outcome and touches no other.
    """

    classroom: Classroom
    lessons: dict[str, Lesson]
    options: Options
    workers: int
    force: bool = False  # grade again what has not changed
    console: Console = field(default_factory=Console)
    stop: Stop = field(default_factory=Stop)

    def __post_init__(self) -> None:
        self.course = self.classroom.course
        self.journal = journal_of(self.course)
        self.outcomes: dict[Task, Outcome] = {}

    def grade(self, tasks: list[Task]) -> list[Outcome]:
        """Outcomes in the order of ``tasks``; without those that were not done when :attr:`stop` was asked for.

        Raises:
            CourseError: this machine cannot grade, or the gradebook does not fit a lesson.
        """
        from . import gradebook  # brings nbgrader and its database layer, which take a second

        self.journal.sweep()
        before: dict[tuple[str, str], gradebook.Grade] = {}
        marks: dict[str, dict[str, gradebook.Marks]] = {}

        def meanwhile() -> None:  # while the first submissions run
            for name in self.lessons:
                gradebook.prepare(self.course, name)
            gradebook.renew_lateness(self.course)
            take_over(self.course, read_roster(self.course))
            for name in self.lessons:
                marks[name] = gradebook.marks_of(self.course, name)
            before.update(gradebook.grades(self.course))

        with progress(self.console) as bar:
            step, failed = bar.add_task("", total=len(tasks), failed=0), 0
            for done in self._run(tasks, meanwhile):
                task = done.task
                known = None if done.new else marks[task.lesson].get(task.student)
                failure = done.failure or self._record(task, before.get((task.student, task.lesson)), known)
                report = self.journal.report(task)
                self.outcomes[task] = outcome = outcome_of(task, report, None, failure)
                failed += outcome.failed
                said = line(task.student, task.lesson, report, failure, not done.new)
                bar.console.print(said, soft_wrap=True, highlight=False)
                bar.update(step, advance=1, failed=failed)
        grades = gradebook.grades(self.course)
        return [self._final(task, grades) for task in tasks if task in self.outcomes]

    def _final(self, task: Task, grades: dict[tuple[str, str], Grade]) -> Outcome:
        outcome = self.outcomes[task]
        return outcome_of(task, outcome.report, grades.get((task.student, task.lesson)), outcome.failure)

    def _record(self, task: Task, grade: Grade | None, marks: Marks | None) -> str:
        """Gradebook and feedback of one submission; the reason, if that failed."""
        from . import gradebook

        try:
            if not gradebook.is_recorded(self.course, self.journal, task, grade):
                gradebook.record(self.course, self.journal, task)
                marks = None
            marks = marks or gradebook.marks_of(self.course, task.lesson, task.student)[task.student]
            gradebook.write_feedback(self.course, self.journal, task, marks)
        except Exception as error:  # nbgrader's, the database's, a page's: another one's record must not wait for it
            return clean(f"The result is in the journal, but could not be recorded: {error}")
        return ""

    def _run(self, tasks: list[Task], meanwhile: Callable[[], None]) -> Iterator[Done]:
        """Grade every submission that changed, several at once; yields each as it is done.

        Ends early when :attr:`stop` is asked for, or ``meanwhile``, which is called once after the first have been
        started, raises; then no process that was started here is left.
        """
        others = set(started())
        pool = ThreadPoolExecutor(self.workers, thread_name_prefix="grade")
        waiting: dict[Future[Done | None], Task] = {}
        try:
            unchanged = []
            for task in tasks:
                if not self.force and self._is_graded(task):
                    unchanged.append(task)
                else:
                    waiting[pool.submit(self._grade_one, task)] = task
            meanwhile()
            for task in unchanged:  # while the others run
                if self.stop.asked:
                    return
                yield Done(task, new=False)
            while waiting and not self.stop.asked:
                for future in wait(waiting, LOOK_AGAIN, FIRST_COMPLETED).done:
                    del waiting[future]
                    if (done := future.result()) is None or self.stop.asked:
                        return
                    yield done
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if waiting:
                self.stop.asked = True  # also when the caller failed: nobody takes the rest
                end_processes(others, lambda: all(future.done() for future in waiting))
            pool.shutdown()

    def _is_graded(self, task: Task) -> bool:
        try:
            return is_graded(task, self.lessons[task.lesson], self.journal)
        except Exception:  # of one submission; grading it will say what is wrong
            return False

    def _grade_one(self, task: Task) -> Done | None:
        """None where the grader was told to stop: its kernel may have been ended, so there is no result."""

        def going_on() -> bool:
            return not self.stop.asked

        if not going_on():
            return None
        try:
            kept = grade_task(task, self.lessons[task.lesson], self.journal, self.options, going_on)
        except Exception as error:  # a fault of ours or of this machine must not stop the class, hide, or be a result
            if not going_on():
                return None
            before = " The points are of what was handed in before." if self.journal.report(task) else ""
            said = f"The grader itself failed here ({type(error).__name__}: {error}), so this is no result.{before}"
            return Done(task, failure=clean(said))
        return Done(task) if kept else None


@dataclass(frozen=True)
class Done:
    """A submission that has been seen to: it was graded now, or was graded before, or the grader failed."""

    task: Task
    new: bool = True
    failure: str = ""


def whole_class(classroom: Classroom, outcomes: list[Outcome]) -> list[Outcome]:
    """What was graded now, and from the journal what was graded before, lesson by lesson."""
    from .gradebook import grades

    journal, known = journal_of(classroom.course), grades(classroom.course)
    now = {outcome.task: outcome for outcome in outcomes}
    found = []
    for task in classroom.tasks(classroom.course.lessons(), classroom.students()):
        report = None if task in now else journal.report(task)
        if task in now:
            found.append(now[task])
        elif report is not None:
            found.append(outcome_of(task, report, known.get((task.student, task.lesson))))
    return found


def progress(console: Console) -> Progress:
    """How many are done and failed, how fast, and how long it will take."""
    return Progress(
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("done,"),
        TextColumn("{task.fields[failed]} failed,"),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        transient=True,
        refresh_per_second=2,
    )


class Rate(ProgressColumn):
    """Submissions per minute."""

    def render(self, task: ProgressTask) -> Text:
        return Text(f"{60 * task.speed:.0f} per minute," if task.speed else "")


def write_class_report(classroom: Classroom, outcomes: list[Outcome]) -> Path:
    """The whole class as a page, whose path is returned, and as JSON; each lesson's misconceptions as pages."""
    course, roster = classroom.course, read_roster(classroom.course)
    students = sorted({*classroom.students(), *roster.people})
    whole = overview(outcomes, students, classroom.strangers(), about_class(course, roster, classroom.students()))
    path = course.classroom / "report.html"
    write_if_changed(path, class_page(whole))
    for lesson in whole.lessons:
        write_if_changed(course.classroom / "misconceptions" / f"{lesson.lesson}.html", misconceptions_page(lesson))
    write_if_changed(path.with_suffix(".json"), json.dumps(asdict(whole), indent=1, ensure_ascii=False) + "\n")
    return path


def about_class(course: Course, roster: Roster, students: list[str]) -> About:
    """Titles, names, dates: what the class report says besides results."""
    from . import due, late

    return About(
        {lesson: f"{lesson[:2]} {navigation.about(course, lesson).title}" for lesson in course.lessons()},
        {person.id: person.name for person in roster.people.values() if person.name != person.id},
        [*roster.wrong, *roster.strangers(students)],
        due.dates_of(course),
        {
            lesson: [f"{student} until {late.as_local(until)}" for student, until in those.items()]
            for lesson, those in late.extensions(course).items()
        },
        late.policy(course),
    )


def without_result(classroom: Classroom, outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """Rows for what is handed in and not graded yet, and for who is in the roster and handed in nothing."""
    known = {(outcome.task.student, outcome.task.lesson) for outcome in outcomes}
    tasks = classroom.tasks(classroom.course.lessons(), classroom.students())
    places = {(task.student, task.lesson): "Handed in, not graded yet." for task in tasks}
    for lesson in dict.fromkeys(task.lesson for task in tasks):
        for student in read_roster(classroom.course).people:
            places.setdefault((student, lesson), "Nothing was handed in.")
    return [
        {"student": student, "lesson": lesson, "remarks": why}
        for (student, lesson), why in sorted(places.items())
        if (student, lesson) not in known
    ]


def write_tables(
    outcomes: list[Outcome], csv_path: Path, json_path: Path, rest: list[dict[str, Any]] | None = None
) -> None:
    """Grades for a spreadsheet, and everything as JSON. ``rest``: rows of the first without points."""
    rows = [_row(outcome) for outcome in outcomes]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["student", "lesson", "remarks"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _safe(value) for key, value in row.items()} for row in [*rows, *(rest or [])])
    write_if_changed(csv_path, text.getvalue())
    full = [row | {"report": _as_json(outcome.report)} for row, outcome in zip(rows, outcomes, strict=True)]
    write_if_changed(json_path, json.dumps(full, indent=1, ensure_ascii=False) + "\n")


def _as_json(report: Report | None) -> dict[str, Any] | None:
    """A report with each check's sentence."""
    if report is None:
        return None
    data = report.to_dict()
    for check, result in zip(data["checks"], report.checks, strict=True):
        check |= {"passed": result.passed, "message": result.message}
    return data


def _row(outcome: Outcome) -> dict[str, Any]:
    report = outcome.report or Report(outcome.task.lesson)
    points, of = report.automatic
    remarks = [outcome.failure, *report.flags, report.problem, outcome.odd_time, *report.mends]
    return {
        "student": outcome.task.student,
        "lesson": outcome.task.lesson,
        "score": outcome.score,
        "max_score": outcome.max_score,
        "checks_score": points,
        "checks_max": of,
        "needs_person": outcome.waits,
        "seconds_late": outcome.seconds_late,
        "handed_in": outcome.handed_in,
        "remarks": " ".join(dict.fromkeys(filter(None, remarks))),  # a page has made the time a flag, too
    }


def _safe(value: object) -> object:
    """What a spreadsheet may be given."""
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value


def show(outcomes: list[Outcome], classroom: Classroom, console: Console, everybody: bool = True) -> None:
    """The summary table: a row per student, a column per lesson; with ``everybody`` also who handed in nothing."""
    lessons = sorted({outcome.task.lesson for outcome in outcomes})
    table = Table(title="Points", title_justify="left")
    table.add_column("Student", no_wrap=True)
    for lesson in lessons:
        table.add_column(lesson, justify="right")
    by_place = {(outcome.task.student, outcome.task.lesson): outcome for outcome in outcomes}
    people = read_roster(classroom.course).people
    for student in sorted({outcome.task.student for outcome in outcomes} | (people.keys() if everybody else set())):
        name = people[student].name if student in people else student
        table.add_row(
            Text(student if name == student else f"{name} ({student})"),
            *(_points(by_place.get((student, lesson))) for lesson in lessons),
        )
    console.print(table)
    console.print(
        f"✎ written answers wait for a person ({typed('teacher')}, Written answers) · ! look at this submission · "
        "– nothing handed in",
        highlight=False,
    )
    for sentence in [*read_roster(classroom.course).wrong, *classroom.strangers()]:
        console.print(Text(f"! {sentence}"))
    console.print("Feedback: classroom/feedback/ · grades.csv and grades.json: classroom/", highlight=False)


def _points(outcome: Outcome | None) -> str:
    if outcome is None:
        return "–"
    if outcome.report is None:
        return "– !"
    signs = " !" * (outcome.report.needs_person or bool(outcome.failure or outcome.odd_time))
    waiting = " ✎" * (outcome.waits and bool(outcome.report.waiting))
    return f"{number(outcome.score)} of {number(outcome.max_score)}{waiting}{signs}"
