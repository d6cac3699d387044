"""``course grade``: every submission of the class, through the four stages, into nbgrader's gradebook."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path

import psutil
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from ..files import write_if_changed
from ..errors import CourseError
from .class_report import class_page, overview
from .submissions import Classroom, HandedIn, Outcome, Task, hand_in
from .journal import Entry, Journal, journal_of
from ..grading.lesson import Lesson, read_lesson
from .stopping import Stop, end_processes, started
from .grading_lock import only_grader
from ..reports.report import line, number
from ..grading.execute import Limits
from ..grading.sandbox import Kernels, choose_kernels, imported, not_for_submissions
from ..grading.report import Report
from ..paths import Course, find_course

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
    console, classroom = Console(), Classroom(find_course())
    tasks = chosen(classroom, args.lessons, args.student)
    limits = Limits(cell_seconds=args.timeout)
    workers = args.workers if args.workers and args.workers > 0 else sensible_workers()
    course = classroom.course
    lessons = {name: read_lesson(course, name) for name in dict.fromkeys(task.lesson for task in tasks)}
    modules = imported("".join(lesson.solution_text for lesson in lessons.values()))
    choice = {"unsafe": args.unsafe, "hidden": not_for_submissions(course), "modules": modules}
    with only_grader(course), choose_kernels(**choice) as kernels, Stop() as stop:
        outcomes = grade_all(classroom, tasks, lessons, limits, kernels, workers, args.force, console, stop)
        if stop.asked and len(outcomes) < len(tasks):
            console.print(
                f"Stopped: {len(outcomes)} of {len(tasks)} submissions are done and kept. Run the same command "
                f"again{' (without --force)' * args.force} for the rest.",
                highlight=False,
            )
            return STOPPED
        write_tables(
            outcomes,
            args.csv or classroom.course.classroom / "grades.csv",
            args.json or classroom.course.classroom / "grades.json",
        )
        page = write_class_report(classroom, outcomes)
    show(outcomes, classroom, console)
    console.print(f"The class: {page.relative_to(classroom.course.root)}", highlight=False, soft_wrap=True)
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
        hint = f" There is classroom/submitted/{strangers[0]}, which is no lesson's name." if strangers else ""
        raise CourseError(
            f"Nobody handed in {', '.join(named)}.{hint} Submissions belong at "
            "classroom/submitted/STUDENT/LESSON/LESSON.ipynb."
        )
    return tasks


def grade_all(
    classroom: Classroom,
    tasks: list[Task],
    lessons: dict[str, Lesson],
    limits: Limits,
    kernels: Kernels,
    workers: int,
    force: bool,
    console: Console,
    stop: Stop | None = None,
) -> list[Outcome]:
    """Grade, record and write feedback; one line per submission as it is done.

    Runs go side by side; this thread alone writes the gradebook. What fails for one submission is said in its
    outcome and touches no other. Submissions that were not done when ``stop`` was asked for have no outcome.
    """
    from .gradebook import grades, prepare  # brings nbgrader and its database layer, which take a second

    course, stop = classroom.course, stop or Stop()
    journal = journal_of(course)
    journal.sweep()
    before, failures, reports = {}, {}, {}

    def meanwhile() -> None:  # while the first submissions run
        for name in lessons:
            prepare(course, name)
        before.update(grades(course))

    with progress(console) as bar:
        step = bar.add_task("", total=len(tasks), failed=0)
        graded = run_all(journal, tasks, lessons, limits, kernels, workers, force, stop, meanwhile)
        for task, entry, unchanged in graded:
            reports[task] = entry.report
            failures[task] = _record(course, task, entry, before.get((task.student, task.lesson)))
            said = line(task.student, entry.report, unchanged)
            problem = f" — [bold]not recorded: {escape(failures[task])}[/bold]" if failures[task] else ""
            bar.console.print(said + problem, soft_wrap=True, highlight=False)
            bar.update(step, advance=1, failed=sum(_failed(reports[t], failures[t]) for t in reports))
    known = grades(course)
    return [
        _outcome(task, reports[task], known.get((task.student, task.lesson)), failures[task])
        for task in tasks
        if task in reports
    ]


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

    def render(self, task) -> Text:
        return Text(f"{60 * task.speed:.0f} per minute," if task.speed else "")


def _failed(report: Report, failure: str) -> bool:
    """Not graded to its end, or not recorded."""
    return bool(failure or report.problem or not report.readable)


def _outcome(task: Task, report: Report, grade, failure: str = "") -> Outcome:
    if grade is None or failure:
        return Outcome(task, report, report.score, report.max_score, True, failure)
    return Outcome(task, report, grade.score, grade.max_score, grade.needs_manual_grade, "", grade.seconds_late)


def _record(course: Course, task: Task, entry: Entry, grade) -> str:
    """Gradebook and feedback of one submission; the reason, if that failed."""
    from .gradebook import RecordError, is_recorded, record, write_feedback

    try:
        if not is_recorded(course, task, entry, grade):
            record(course, task, entry)
        write_feedback(course, task)  # always: a person may have graded meanwhile
    except RecordError as error:
        return str(error)
    return ""


def run_all(
    journal: Journal,
    tasks: list[Task],
    lessons: dict[str, Lesson],
    limits: Limits,
    kernels: Kernels,
    workers: int,
    force: bool,
    stop: Stop,
    meanwhile: Callable[[], None],
) -> Iterator[tuple[Task, Entry, bool]]:
    """Stages 1 to 3 of every submission that changed, several at once, each as it is done.

    Yields the task, its entry in the journal, and whether it had not changed. Ends early when ``stop`` is asked for,
    or ``meanwhile``, which is called once after the first have been started, raises; then no process that was started
    here is left.
    """
    others = set(started())
    pool = ThreadPoolExecutor(workers, thread_name_prefix="grade")
    try:
        unchanged, waiting = [], {}
        for task in tasks:
            key = hand_in(task.folder, task.lesson).key(lessons[task.lesson])
            entry = None if force else journal.read(task.lesson, task.student)
            if entry and entry.key == key:
                unchanged.append(task)
            else:
                waiting[pool.submit(_grade_one, journal, task, lessons[task.lesson], limits, kernels, stop)] = task
        meanwhile()
        for task in unchanged:  # while the others run
            if stop.asked:
                return
            yield task, journal.read(task.lesson, task.student), True
        while waiting and not stop.asked:
            for done in wait(waiting, LOOK_AGAIN, FIRST_COMPLETED).done:
                if stop.asked:
                    return
                yield waiting.pop(done), done.result(), False
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if waiting:
            stop.asked = True  # also when the caller failed: nobody takes the rest
            end_processes(others, lambda: all(future.done() for future in waiting))
        pool.shutdown()


def _grade_one(
    journal: Journal, task: Task, lesson: Lesson, limits: Limits, kernels: Kernels, stop: Stop
) -> Entry | None:
    from .nbgrader_adapter import grade_to_entry

    if stop.asked:
        return None
    handed = hand_in(task.folder, task.lesson)
    try:
        entry = grade_to_entry(handed, lesson, limits, kernels)
    except Exception as error:  # a fault of the grader's own must not stop the class, nor hide
        if stop.asked:
            return None
        sorry = f"The grader itself failed on this submission ({type(error).__name__}: {error}). Please report this."
        entry = grade_to_entry(HandedIn(None, flags=[sorry]), lesson)
        entry.key = entry.notebook.metadata.course.intake.key = handed.key(lesson)
    if stop.asked:
        return None  # its kernel may have been ended: this is no result
    journal.write(task.lesson, task.student, entry)
    return entry


def write_class_report(classroom: Classroom, outcomes: list[Outcome]) -> Path:
    """The whole class as a page and as JSON: what was graded now, and what the journal has from before."""
    from .gradebook import grades

    known, journal = grades(classroom.course), journal_of(classroom.course)
    graded = {outcome.task: outcome for outcome in outcomes}
    students = classroom.students()
    for task in classroom.tasks(classroom.course.lessons(), students):
        entry = None if task in graded else journal.read(task.lesson, task.student)
        if entry:
            graded[task] = _outcome(task, entry.report, known.get((task.student, task.lesson)))
    whole = overview(list(graded.values()), students, classroom.strangers())
    path = classroom.course.classroom / "report.html"
    write_if_changed(path, class_page(whole))
    write_if_changed(path.with_suffix(".json"), json.dumps(asdict(whole), indent=1, ensure_ascii=False) + "\n")
    return path


def write_tables(outcomes: list[Outcome], csv_path: Path, json_path: Path) -> None:
    """Grades for a spreadsheet or a learning management system, and everything as JSON."""
    rows = [_row(outcome) for outcome in outcomes]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _safe(value) for key, value in row.items()} for row in rows)
    write_if_changed(csv_path, text.getvalue())
    full = [row | {"report": outcome.report.to_dict()} for row, outcome in zip(rows, outcomes, strict=True)]
    write_if_changed(json_path, json.dumps(full, indent=1, ensure_ascii=False) + "\n")


def _row(outcome: Outcome) -> dict:
    report = outcome.report
    points, of = report.automatic
    remarks = [outcome.failure, *report.flags, report.problem, *report.mends]
    return {
        "student": outcome.task.student,
        "lesson": outcome.task.lesson,
        "score": outcome.score,
        "max_score": outcome.max_score,
        "checks_score": points,
        "checks_max": of,
        "needs_person": outcome.waits,
        "seconds_late": outcome.seconds_late,
        "remarks": " ".join(remark for remark in remarks if remark),
    }


def _safe(value):
    """A spreadsheet would run a text that begins like a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def show(outcomes: list[Outcome], classroom: Classroom, console: Console) -> None:
    """The summary table: a row per student, a column per lesson."""
    lessons = sorted({outcome.task.lesson for outcome in outcomes})
    table = Table(title="Points", title_justify="left")
    table.add_column("Student", no_wrap=True)
    for lesson in lessons:
        table.add_column(lesson, justify="right")
    by_place = {(outcome.task.student, outcome.task.lesson): outcome for outcome in outcomes}
    for student in sorted({outcome.task.student for outcome in outcomes}):
        table.add_row(student, *(_points(by_place.get((student, lesson))) for lesson in lessons))
    console.print(table)
    console.print(
        "✎ written answers wait for a person (`course lab --teacher`, then Formgrader) · ! look at this submission · "
        "– nothing handed in",
        highlight=False,
    )
    for stranger in classroom.strangers():
        console.print(
            f"! classroom/submitted/{stranger} is no lesson's name: not graded", highlight=False, markup=False
        )
    console.print("Feedback: classroom/feedback/ · grades.csv and grades.json: classroom/", highlight=False)


def _points(outcome: Outcome | None) -> str:
    if outcome is None:
        return "–"
    signs = " !" * (outcome.report.needs_person or bool(outcome.failure))
    waiting = " ✎" * (outcome.waits and bool(outcome.report.waiting))
    return f"{number(outcome.score)} of {number(outcome.max_score)}{waiting}{signs}"
