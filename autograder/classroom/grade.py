"""``course grade``: every submission of the class, through the four stages, into nbgrader's gradebook."""

from __future__ import annotations

import argparse
import ast
import csv
import io
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import psutil
from rich.cells import cell_len
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
from ..errors import CourseError, is_of_a_database, why_refused
from ..files import write_if_changed
from ..grading.cells import CHECKS
from ..grading.execute import Limits, Options
from ..grading.lesson import Lesson, read_lesson
from ..grading.report import Report
from ..grading.sandbox import Kernels, choose_kernels, imported, not_for_submissions
from ..grading.sandbox.resources import KERNEL_BYTES
from ..grading.text import clean
from ..grading.turns import Turn, Turns
from ..paths import Course, find_course
from ..python_code import parse
from ..reports.page import line, number
from ..wording import seconds, typed
from .class_report import About, class_page, misconceptions_page, overview
from .grade_task import GradeFunction, grade_task, is_graded
from .grading_lock import only_grader
from .journal import journal_of
from .outcome import AGAIN, OTHER_VERSION, Outcome, lesson_of, outcome_of, why_not_of_now
from .roster import Roster, for_spreadsheet, read_roster, take_over
from .stopping import Stop, end_processes, started
from .submissions import Classroom, Task, is_about_one, is_folder

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from .gradebook import Grade, Marks

    Grades = dict[tuple[str, str], Grade]

AHEAD = 2  # submissions that a cluster is sent for each that it can grade at once: the next one is there already
BATCH = 100  # submissions that are recorded in one transaction, at most
FILES_OF_ONE = 32  # open files of this process that a submission needs at most
FILES_OF_ALL = 128  # and those that are open besides
LOOK_AGAIN = 0.2  # seconds until a Ctrl-C is noticed
NAME = 40  # columns of the terminal that a name may take, so that there is room for points
BETWEEN = 3  # columns of a table's line and spaces around it
STOPPED = 130  # exit status of a command that Ctrl-C ended
DAMAGED = (
    " A damaged gradebook is made again: first keep it under another name (grades given by hand and due dates are in "
    "it), and start Formgrader anew afterwards."
)
LOST = (
    "The grader's own notes of this result cannot be read. The points are the gradebook's; a run for all grades it "
    "again."
)
NOT_IN_BOOK = (
    "The gradebook has no points of this result: it is another one than before. These are the checks' alone; a run for "
    "all records them."
)
NOT_AN_ID = "The folder's name cannot be a student's id any more: it is not graded. The points are the gradebook's."
GONE = (
    "No longer in classroom/submitted/, but still in the gradebook: put the folder back, or take out who has left by "
    "`nbgrader db student remove ID --force`, in a terminal of the teacher's JupyterLab."
)


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
    parser.add_argument("--scheduler", metavar="ADDRESS", help="grade on the workers of a cluster: tls://HOST:8786")
    parser.add_argument("--certificates", type=Path, metavar="FOLDER", help="default: classroom/certificates")
    parser.add_argument("--plain-tcp", action="store_true", help="accept tcp:// between machines: anybody may listen")
    parser.add_argument("--json", type=Path, metavar="FILE", help="default: classroom/grades.json")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="default: classroom/grades.csv")
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=Limits.cell_seconds,
        metavar="SECONDS",
        help="for a cell (default: %(default)g)",
    )


def command(args: argparse.Namespace) -> int:
    try:
        return _grade_class(args)
    except Exception as error:
        if not isinstance(error, OSError) and not is_of_a_database(error):
            raise
        damaged = DAMAGED if is_of_a_database(error) else ""
        raise CourseError(
            f"The class could not be graded to its end ({clean(why_refused(error))}). Is the disk full, or does "
            "another program hold classroom/gradebook.db? What was graded is kept in classroom/journal/; run the same "
            f"command again.{damaged}"
        ) from error


def _grade_class(args: argparse.Namespace) -> int:
    console, classroom = Console(), Classroom(find_course())
    if args.workers is not None and args.workers < 1:
        raise CourseError(f"--workers {args.workers} grades nothing. Give 1 or more, or leave it out: then one a core.")
    for option, path in (("--csv", args.csv), ("--json", args.json)):
        if path and path.is_dir():
            raise CourseError(f"{option} {clean(str(path))} is a folder. Name the file that is to be written.")
    course, tasks = classroom.course, chosen(classroom, args.lessons, args.student)
    lessons = {name: read_lesson(course, name) for name in dict.fromkeys(task.lesson for task in tasks)}
    with only_grader(course), Stop() as stop, place_of(args, course, lessons, stop, console) as place:
        options = Options(Limits.of_a_cell(args.timeout), place.kernels)
        grader = Grader(classroom, lessons, options, place.workers, args.force, console, stop, place.grade)
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
                f"The tables and the class report could not be written ({clean(why_refused(error))}). "
                "The results are in the journal; make room or name another file, and run the same command again."
            ) from error
    shown = outcomes if args.student else [one for one in everybody if one.task.lesson in lessons]
    show(shown, classroom, console, everybody=not args.student)
    console.print(f"The class: {page.relative_to(course.root)}", highlight=False, soft_wrap=True)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


@dataclass(frozen=True)
class Place:
    """Where submissions are graded: here, or on a cluster's workers."""

    workers: int  # threads that each see to one submission
    kernels: Kernels = field(default_factory=Kernels)
    grade: GradeFunction | None = None


@contextmanager
def place_of(
    args: argparse.Namespace, course: Course, lessons: dict[str, Lesson], stop: Stop, console: Console
) -> Iterator[Place]:
    """This machine, or the cluster that ``--scheduler`` names.

    Raises:
        CourseError: this machine cannot isolate, or the cluster cannot be used.
    """
    if not args.scheduler:
        modules = imported("".join(lesson.solution_text for lesson in lessons.values()))
        choice = {"unsafe": args.unsafe, "hidden": not_for_submissions(course), "modules": modules}
        with choose_kernels(**choice) as kernels:
            kernels.begin()
            yield Place(workers_here(args.workers), kernels)
        return
    if args.unsafe:
        raise CourseError(
            "--unsafe is about this machine; with --scheduler every worker proves its sandbox. Leave it out."
        )
    from . import cluster  # needs Dask, which nobody else does

    cluster.needs_dask()
    address = cluster.read_address(args.scheduler, args.plain_tcp)
    safe = cluster.security(address, args.certificates)
    say = partial(console.print, markup=False, highlight=False, soft_wrap=True)
    with cluster.Cluster(address, safe, lambda: stop.asked, say) as found:
        try:
            yield Place(args.workers or AHEAD * found.slots, grade=found.grade)
        finally:
            if found.lost:
                say(f"{found.lost} What was graded is kept; run the same command again when it is there.")


def workers_here(asked: int | None) -> int:
    """How many submissions this machine grades at once: as many as there are cores, but no more than fit into memory.

    This process's own limit of open files is raised to what they need.

    Args:
        asked: what a teacher wants, or None.

    Raises:
        CourseError: so many need more open files than this account may have.
    """
    most = max(1, (_open_files(0) - FILES_OF_ALL) // FILES_OF_ONE)
    if asked and asked > most:
        raise CourseError(
            f"--workers {asked} needs {FILES_OF_ALL + asked * FILES_OF_ONE} open files, more than this account may "
            f"have. Give {most} at most, or raise the limit (ulimit -Hn)."
        )
    fit = psutil.virtual_memory().available // KERNEL_BYTES
    workers = asked or max(1, min(os.cpu_count() or 1, fit, most))
    _open_files(FILES_OF_ALL + workers * FILES_OF_ONE)
    return workers


def _open_files(needed: int) -> int:
    """How many files this account may have open; this process's own limit is raised to ``needed`` of them."""
    if sys.platform == "win32":  # it knows no such limit
        return sys.maxsize
    files = resource.RLIMIT_NOFILE
    own, hard = resource.getrlimit(files)
    now, most = (sys.maxsize if limit == resource.RLIM_INFINITY else limit for limit in (own, hard))
    if now < needed:
        resource.setrlimit(files, (min(needed, most), hard))
    return most


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
    grade_function: GradeFunction | None = None  # where one submission is graded; here unless given

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
        before: Grades = {}
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
            for batch in self._run(tasks, meanwhile):
                failures = self._record(batch, before, marks)
                for done in batch:
                    task, failure = done.task, done.failure or failures.get(done.task, "")
                    report = self.journal.report(task)
                    self.outcomes[task] = outcome = outcome_of(task, report, None, failure)
                    failed += outcome.failed
                    grade = before.get((task.student, task.lesson))
                    waits = grade is None or grade.answer_waits or bool(failure)
                    said = line(task.student, task.lesson, report, failure, not done.new, waits)
                    bar.console.print(said, soft_wrap=True, highlight=False, emoji=False)
                    bar.update(step, advance=1, failed=failed)
        grades = gradebook.grades(self.course)
        return [self._final(task, grades) for task in tasks if task in self.outcomes]

    def _final(self, task: Task, grades: Grades) -> Outcome:
        outcome = self.outcomes[task]
        return outcome_of(task, outcome.report, grades.get((task.student, task.lesson)), outcome.failure)

    def _record(self, batch: list[Done], grades: Grades, marks: dict[str, dict[str, Marks]]) -> dict[Task, str]:
        """Gradebook and feedback of some submissions; the reasons where that failed.

        What is recorded takes the place of what ``grades`` had.
        """
        from . import gradebook, recording

        failures: dict[Task, str] = {}
        changed: dict[str, list[Task]] = defaultdict(list)
        known: dict[Task, tuple[Marks, str | None]] = {}
        for done in batch:
            task = done.task
            if done.failure:
                continue
            mine = marks[task.lesson].get(task.student)
            grade = grades.get((task.student, task.lesson))
            if done.new or not mine or not gradebook.is_recorded(self.course, self.journal, task, grade):
                changed[task.lesson].append(task)
            else:
                known[task] = mine, None
        for tasks in changed.values():
            for task, written in recording.record(self.course, self.journal, tasks).items():
                failures[task] = written.failure
                if written.grade and written.marks:
                    known[task] = written.marks, written.grade.lateness()
                    grades[task.student, task.lesson] = written.grade
        for task, (mine, lateness) in known.items():
            try:
                gradebook.write_feedback(self.course, self.journal, task, mine, lateness)
            except Exception as error:  # a page's, the disk's: another one's record must not wait for it
                failures[task] = str(error)
        said = "The result is in the journal, but could not be recorded: {}"
        return {task: clean(said.format(why)) for task, why in failures.items() if why}

    def _run(self, tasks: list[Task], meanwhile: Callable[[], None]) -> Iterator[list[Done]]:
        """Grade every submission that changed, several at once; yields those that are done since the last were taken.

        Ends early when :attr:`stop` is asked for, or ``meanwhile``, which is called once after the first have been
        started, raises; then no process that was started here is left.
        """
        others = set(started())
        ahead = self.grade_function is None  # here, one more notebook's kernel starts while others' cells run
        turns = Turns(self.workers) if ahead else None
        pool = ThreadPoolExecutor(self.workers + ahead, thread_name_prefix="grade")
        finished: SimpleQueue[Future[Done | None]] = SimpleQueue()
        waiting: set[Future[Done | None]] = set()
        try:
            unchanged = []
            for task in tasks:
                if not self.force and self._is_graded(task):
                    unchanged.append(Done(task, new=False))
                else:
                    waiting.add(pool.submit(self._grade_task, task, turns.next() if turns else None))
            for future in waiting:
                future.add_done_callback(finished.put)
            meanwhile()
            for first in range(0, len(unchanged), BATCH):  # while the others run
                if self.stop.asked:
                    return
                yield unchanged[first : first + BATCH]
            while waiting and not self.stop.asked:
                if taken := _take(finished):
                    waiting.difference_update(taken)
                    if batch := [done for future in taken if (done := future.result())]:
                        yield batch
            if waiting:  # of these, what was kept before the stop was asked for is recorded, too
                pool.shutdown(wait=False, cancel_futures=True)
                end_processes(others, lambda: all(future.done() for future in waiting))
                ended = [future for future in waiting if future.done() and not future.cancelled()]
                if kept := [done for future in ended if (done := future.result())]:
                    yield kept
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if waiting:
                self.stop.asked = True  # also when the caller failed: nobody takes the rest
                end_processes(others, lambda: all(future.done() for future in waiting))
            pool.shutdown()

    def _is_graded(self, task: Task) -> bool:
        try:
            seconds, isolated = self.options.limits.cell_seconds, self.options.kernels.isolated
            isolated |= self.grade_function is not None  # every worker of a cluster proves its sandbox
            return is_graded(task, self.lessons[task.lesson], self.journal, seconds, isolated)
        except Exception:  # of one submission; grading it will say what is wrong
            return False

    def _grade_task(self, task: Task, turn: Turn | None) -> Done | None:
        """None where the grader was told to stop: its kernel may have been ended, so there is no result."""

        def going_on() -> bool:
            return not self.stop.asked

        try:
            if not going_on():
                return None
            how = replace(self.options, turn=turn), going_on, self.grade_function
            kept = grade_task(task, self.lessons[task.lesson], self.journal, *how)
        except Exception as error:  # a fault of ours or of this machine must not stop the class, hide, or be a result
            if not going_on():
                return None
            before = " The points are of what was handed in before." if self.journal.report(task) else ""
            what = f"The grader itself failed here ({type(error).__name__}: {error})"
            if isinstance(error, OSError):
                what = f"This machine refused something here ({why_refused(error)})"
            return Done(task, failure=clean(f"{what}, so this is no result.{before}"))
        finally:
            if turn:
                turn.give_back()
        return Done(task) if kept else None


def _take(finished: SimpleQueue[Future[Done | None]]) -> list[Future[Done | None]]:
    """What is done by now, at least one unless none is for a moment."""
    taken = []
    with suppress(Empty):
        taken.append(finished.get(timeout=LOOK_AGAIN))
        while len(taken) < BATCH:
            taken.append(finished.get_nowait())
    return taken


@dataclass(frozen=True)
class Done:
    """A submission that has been seen to: it was graded now, or was graded before, or the grader failed."""

    task: Task
    new: bool = True
    failure: str = ""


def whole_class(classroom: Classroom, outcomes: list[Outcome]) -> list[Outcome]:
    """What was graded now, and what was graded before and is in the journal or the gradebook, lesson by lesson."""
    from .gradebook import grades

    journal, known = journal_of(classroom.course), grades(classroom.course)
    now = {outcome.task: outcome for outcome in outcomes}
    lessons = {name: lesson_of(classroom.course, name) for name in classroom.course.lessons()}
    found, tasks = [], classroom.tasks(classroom.course.lessons(), classroom.students())
    for task in tasks:
        report = None if task in now else journal.report(task)
        if task in now:
            found.append(now[task])
        elif report is not None:
            grade, is_recorded = known.get((task.student, task.lesson)), bool(journal.recorded(task).gradebook)
            if grade is not None and (grade.result or journal.is_noted_in_book(task)):
                is_recorded &= grade.result == journal.result(task)  # else the gradebook was put back from a copy
            if grade is None and not is_recorded:
                continue  # a grader was killed between the two: there is no result before it
            before = why_not_of_now(task, journal, lessons[task.lesson]) if is_recorded else AGAIN
            failure = before or (NOT_IN_BOOK if grade is None else "")
            waiting = "" if failure == OTHER_VERSION else failure  # what a person has seen to does not wait for that
            found.append(replace(outcome_of(task, report, grade, waiting), failure=failure))
        elif (grade := known.get((task.student, task.lesson))) is not None and (grade.score or grade.by_hand):
            found.append(outcome_of(task, None, grade, LOST))
    gone = [Task(*place, classroom.submitted.joinpath(*place)) for place in known if place[1] in lessons]
    for task in set(gone).difference(tasks):
        report, grade = journal.report(task), known[task.student, task.lesson]
        outcome = outcome_of(task, report, grade)
        if outcome.is_known_by_hand or (report.handed_in if report else grade.score):
            found.append(replace(outcome, failure=NOT_AN_ID if is_folder(task.folder) else GONE))
    return sorted(found, key=lambda outcome: (outcome.task.lesson, outcome.task.student))


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
    students = sorted({*classroom.students(), *roster.people, *(outcome.task.student for outcome in outcomes)})
    about = about_class(course, roster, classroom.students())
    about.ungraded = not_graded_yet(classroom, outcomes)
    whole = overview(outcomes, students, classroom.strangers(), about)
    path = course.classroom / "report.html"
    write_if_changed(path, class_page(whole))
    for lesson in whole.lessons:
        write_if_changed(course.classroom / "misconceptions" / f"{lesson.lesson}.html", misconceptions_page(lesson))
    write_if_changed(path.with_suffix(".json"), json.dumps(asdict(whole), indent=1, ensure_ascii=False) + "\n")
    return path


def not_graded_yet(classroom: Classroom, outcomes: list[Outcome]) -> dict[str, list[str]]:
    """``{lesson: students}`` of what is handed in and has no result, or one of a time when no notebook was there."""
    results = {outcome.task: outcome for outcome in outcomes}
    found: dict[str, list[str]] = defaultdict(list)
    for task in classroom.everything(classroom.course.lessons()):
        result = results.get(task)
        was_empty = result is not None and result.report is not None and not result.report.handed_in
        if result is None or (was_empty and not result.is_known_by_hand and result.failure == AGAIN):
            found[task.lesson].append(task.student)
    return found


def about_class(course: Course, roster: Roster, students: list[str]) -> About:
    """Titles, names, dates, sittings: what the class report says besides results."""
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
        {lesson: navigation.sittings(course, lesson) for lesson in course.lessons()},
        {lesson: _words_of_checks(course, lesson) for lesson in course.lessons()},
    )


def _words_of_checks(course: Course, lesson: str) -> frozenset[str]:
    """All texts that stand in a lesson's checks as they are; a sentence that is put together of others is none."""
    try:
        cells = json.loads(course.solution_notebook(lesson).read_bytes())["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["metadata"].get("course", {}).get("role") in CHECKS]
        nodes = [node for text in texts for node in ast.walk(parse(text))]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, SyntaxError):  # not built yet, or damaged
        return frozenset()
    return frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


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
    full = (row | {"report": _as_json(outcome.report)} for row, outcome in zip(rows, outcomes, strict=True))
    # indented, it takes ten times as long; as one text with one emoji in it, four times the room
    lines = (json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") for row in full)
    write_if_changed(json_path, b"[\n%b\n]\n" % b",\n".join(lines))


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
        "score": round(outcome.score, 6),  # a sum of tenths
        "max_score": outcome.max_score,
        "checks_score": points,
        "checks_max": of,
        "needs_person": outcome.waits,
        "seconds_late": outcome.seconds_late,
        "handed_in": outcome.handed_in,
        "remarks": " ".join(filter(None, remarks)),
    }


def _safe(value: object) -> object:
    """What a spreadsheet may be given."""
    return for_spreadsheet(value) if isinstance(value, str) else value


def show(outcomes: list[Outcome], classroom: Classroom, console: Console, everybody: bool = True) -> None:
    """The summary: a row per student, a column per lesson; with ``everybody`` also who handed in nothing.

    No points are cut: lessons that do not fit side by side stand in several tables, one below the other.
    """
    lessons = sorted({outcome.task.lesson for outcome in outcomes})
    by_place = {(outcome.task.student, outcome.task.lesson): outcome for outcome in outcomes}
    people = read_roster(classroom.course).people
    names, columns = ["Student"], {lesson: [_heading(lesson, lessons)] for lesson in lessons}
    for student in sorted({outcome.task.student for outcome in outcomes} | (people.keys() if everybody else set())):
        name = people[student].name if student in people else student
        names.append(student if name == student else f"{name} ({student})")
        for lesson, column in columns.items():
            column.append(_points(by_place.get((student, lesson))))
    widths = {lesson: BETWEEN + max(map(cell_len, column)) for lesson, column in columns.items()}
    room = console.width - 1 - BETWEEN
    longest = max(1, min(NAME, max(map(cell_len, names)), room - max(widths.values(), default=0)))
    for those in _side_by_side(widths, room - longest):
        (student, *headings), *rows = zip(names, *(columns[lesson] for lesson in those), strict=True)
        table = Table(title="Points", title_justify="left")
        table.add_column(student, no_wrap=True, max_width=longest)
        for heading in headings:
            table.add_column(heading, justify="right", no_wrap=True)
        for name, *points in rows:
            table.add_row(Text(name), *points)
        console.print(table)
    console.print(
        f"✎ written answers wait for a person ({typed('teacher')}, Written answers) · ! look at this submission · "
        "– nothing handed in",
        highlight=False,
    )
    for sentence in [*read_roster(classroom.course).wrong, *classroom.strangers()]:
        console.print(Text(f"! {sentence}"))
    console.print("Feedback: classroom/feedback/ · grades.csv and grades.json: classroom/", highlight=False)


def _heading(lesson: str, lessons: list[str]) -> str:
    """A lesson's number where no other one has it: a name is wider than points."""
    digits, dash, _ = lesson.partition("_")
    return digits if sum(name.startswith(digits + dash) for name in lessons) == 1 else lesson


def _side_by_side(widths: dict[str, int], room: int) -> list[list[str]]:
    """Which columns come into which table: as many as there is room for, and at least one."""
    tables, left = list[list[str]](), 0
    for column, width in widths.items():
        if not tables or width > left:
            tables.append([])
            left = room
        tables[-1].append(column)
        left -= width
    return tables


def _points(outcome: Outcome | None) -> str:
    if outcome is None:
        return "–"
    if outcome.report is None:
        return f"{number(outcome.score)} of {number(outcome.max_score)} !" if outcome.max_score else "– !"
    look = outcome.report.needs_person or outcome.of_before or bool(outcome.failure or is_about_one(outcome.odd_time))
    signs, waiting = " !" * look, " ✎" * (outcome.answer_waits and bool(outcome.report.waiting))
    return f"{number(outcome.score)} of {number(outcome.max_score)}{waiting}{signs}"
