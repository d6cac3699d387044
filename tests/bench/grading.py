"""``python -m tests.bench.grading [LESSON] [--students 30]``: the same class by stock nbgrader and by ours, in one run.

The class hands in answers of the lesson's bank, right and wrong ones mixed, each in a whole notebook. It is graded

- by stock ``nbgrader autograde``, with none of this course's settings but the names of its folders;
- by ``course grade`` with one worker, and with two.

Each is the whole command, from its start to its end, with compiled bytecode for all. *Floor* is what the same
submissions' cells, checks among them, take by themselves in kernels that have imported everything: no grader can be
faster without running less. *Memory* is the most that all processes of the command held together (proportional set
size: what several share counts once), divided by the workers.

Status 1 when ours and stock disagree about anybody's points, or one and two workers do.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

import psutil
from nbgrader.api import Gradebook
from rich.console import Console
from rich.table import Table

from autograder.authoring.answers import combine, read_bank, reference_answers, submission
from autograder.classroom.demo import in_words
from autograder.classroom.submissions import Classroom
from autograder.errors import CourseError
from autograder.grading.checks.drawn import IN_NOTEBOOK
from autograder.grading.execute import Options, execute
from autograder.grading.lesson import Lesson, read_lesson
from autograder.grading.sandbox import choose_kernels
from autograder.paths import Course, find_course
from tests.grading.conftest import taken_in

from .kill_grader import copy_lesson, finish, start_grader

MB = 1e6
LOOK = 0.5  # seconds between two looks at a command's memory
STOCK_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.CourseDirectory.root = {root!r}
c.CourseDirectory.ignore = ["answers", "*.py", ".*", "_shared"]
c.Execute.timeout = 120
"""


@dataclass
class Graded:
    """One way of grading the class."""

    name: str
    workers: int
    seconds: float = 0.0  # of the whole command
    memory: float = 0.0  # bytes, all processes together, at most
    points: dict[str, float] = field(default_factory=dict)  # {student: points of the checks}


def answering_class(lesson: Lesson, course: Course, students: int) -> dict[str, bytes]:
    """``{student: notebook}``: the answers of the bank, spread over the exercises, over and over until all have one."""
    bank = [answer for answer in read_bank(course, lesson.name) if not answer.alone]
    reference, words = reference_answers(lesson), in_words(lesson)
    groups = [{}, *combine(bank, list(reference))]
    return {
        f"student-{number:03}": submission(lesson, reference | words | {name: a.text for name, a in group.items()})
        for number, group in enumerate(islice(cycle(groups), students))
    }


def lay(folder: Path, lesson: str, handed_in: dict[str, bytes]) -> None:
    for student, raw in handed_in.items():
        path = folder / student / lesson / f"{lesson}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)


def points_of(gradebook: Path, lesson: Lesson) -> dict[str, float]:
    """What the checks gave, without answers that a person grades.

    Nor checks that draw their inputs: stock nbgrader has no reference to compare with, so it compares an answer with
    itself.
    """
    drawn = {cell.id for cell in lesson.solution.cells if IN_NOTEBOOK in cell.source}
    with Gradebook(f"sqlite:///{gradebook}") as opened:
        return {
            submitted.student_id: sum(
                grade.auto_score or 0 for one in submitted.notebooks for grade in one.grades if grade.name not in drawn
            )
            for submitted in opened.assignment_submissions(lesson.name)
        }


class PeakMemory:
    """The most memory that a process and all beneath it held, looked at from a thread."""

    def __init__(self, number: int) -> None:
        self.bytes, self._root, self._stop = 0.0, psutil.Process(number), threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(LOOK):
            try:
                everybody = [self._root, *self._root.children(recursive=True)]
            except psutil.Error:
                return
            self.bytes = max(self.bytes, sum(map(proportional, everybody)))


def proportional(process: psutil.Process) -> int:
    """Bytes of a process; pages that several processes share are divided among them."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it ended meanwhile
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def stock(lesson: Lesson, handed_in: dict[str, bytes], real: Course, folder: Path) -> Graded:
    """The class through nbgrader as it comes."""
    shutil.copytree(real.solutions / lesson.name, folder / "source" / lesson.name)
    (folder / "nbgrader_config.py").write_text(STOCK_CONFIG.format(root=str(folder)))
    (folder / "config").mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "NBGRADER", "PYTHON"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # nbgrader calls `alembic`
    environment = kept | {"JUPYTER_CONFIG_DIR": str(folder / "config"), "PATH": path}

    def run(*arguments: str) -> subprocess.Popen:
        log = (folder / "log.txt").open("ab")
        command = [sys.executable, "-m", "nbgrader", *arguments]
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)

    if run("generate_assignment", lesson.name, "--create").wait():
        raise CourseError(f"stock nbgrader could not make the assignment: {(folder / 'log.txt').read_text()[-2000:]}")
    lay(folder / "submitted", lesson.name, handed_in)
    graded, start = Graded("stock nbgrader", 1), time.monotonic()
    process = run("autograde", lesson.name, "--create")
    with PeakMemory(process.pid) as peak:
        process.wait()
    graded.seconds, graded.memory = time.monotonic() - start, peak.bytes
    graded.points = points_of(folder / "gradebook.db", lesson)
    return graded


def ours(course: Course, lesson: Lesson, workers: int) -> Graded:
    """The class through ``course grade``, from nothing."""
    classroom = Classroom(course)
    for path in classroom.course.classroom.iterdir():
        if path != classroom.submitted:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    graded, start = Graded("course grade", workers), time.monotonic()
    grader = start_grader(course, workers)
    with PeakMemory(grader.pid) as peak:
        finish(grader)
    graded.seconds, graded.memory = time.monotonic() - start, peak.bytes
    graded.points = points_of(classroom.gradebook, lesson)
    return graded


def floor(lesson: Lesson, handed_in: dict[str, bytes], workers: int) -> Graded:
    """The cells alone, in warm kernels: seconds in which some cell ran, divided by the workers."""
    graded = Graded("floor: the cells alone", workers)
    with choose_kernels() as kernels, ThreadPoolExecutor(workers) as pool:

        def cells(raw: bytes) -> float:
            options = Options(kernels=kernels, checks_in_kernel=True)
            done = execute(taken_in(raw, lesson).notebook, options, lesson.solution)
            return sum(run.seconds for run in done.cells.values())

        pool.submit(cells, next(iter(handed_in.values()))).result()  # the template's start is not the cells'
        graded.seconds = sum(pool.map(cells, handed_in.values())) / workers
    return graded


def compile_everything() -> None:
    """Bytecode for what any of them imports, where it is missing."""
    for folder in dict.fromkeys(path for path in sys.path if "site-packages" in path):
        compileall.compile_dir(folder, quiet=2, workers=0)


def table(found: list[Graded], stock_seconds: float, students: int) -> Table:
    shown = Table("", "workers", "seconds", "a submission", "× as fast as stock", "× the floor", "MB a worker")
    for column in shown.columns[1:]:
        column.justify = "right"
    floors = {one.workers: one.seconds for one in found if one.name.startswith("floor")}
    for one in found:
        shown.add_row(
            one.name,
            str(one.workers),
            f"{one.seconds:.1f}",
            f"{one.seconds / students:.2f}",
            f"{stock_seconds / one.seconds:.1f}",
            f"{one.seconds / floors[one.workers]:.2f}",
            f"{one.memory / one.workers / MB:.0f}" if one.memory else "",
        )
    return shown


def disagreements(found: list[Graded]) -> list[str]:
    """Who got other points from one than from the first."""
    (first, *others) = [one for one in found if one.points]
    return [
        f"{student}: {one.points.get(student)} by {one.name} with {one.workers} workers, {points} by {first.name}"
        for one in others
        for student, points in first.points.items()
        if one.points.get(student) != points
    ]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.grading")
    parser.add_argument("lesson", nargs="?", default="01")
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--without-stock", action="store_true", help="only ours and the floor, which is quick")
    args = parser.parse_args(argv)
    real = find_course()
    lesson = read_lesson(real, real.lesson(args.lesson))
    compile_everything()
    handed_in = answering_class(lesson, real, args.students)
    with tempfile.TemporaryDirectory(prefix="bench-grading-") as folder:
        course = copy_lesson(real, Path(folder, "ours"), lesson.name)
        lay(Classroom(course).submitted, lesson.name, handed_in)
        one = ours(course, lesson, 1)
        found = [floor(lesson, handed_in, 1), floor(lesson, handed_in, 2)]
        if not args.without_stock:
            Path(folder, "stock").mkdir()
            found.append(stock(lesson, handed_in, real, Path(folder, "stock")))
        found += [one, ours(course, lesson, 2)]
    console = Console(width=120)
    console.print(f"{lesson.name}, {len(handed_in)} submissions, {os.cpu_count()} cores")
    console.print(table(found, found[2].seconds, len(handed_in)))
    different = disagreements(found)
    console.print(f"{len(different)} students whose points differ")
    for line in different[:20]:
        console.print(line)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
