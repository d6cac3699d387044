"""``python -m tests.bench.cluster [LESSON] [--students N]``: how far grading on several machines scales.

Three parts, each real:

- *recording*: a class whose results are known already, through journal, gradebook, feedback and tables; then the same
  class unchanged; and the same notebooks through stock nbgrader's ``autograde`` with all preprocessors left out but
  those that write its gradebook. Every figure is a submission's share of the whole, on the clock.
- *grading*: a class through a scheduler and 1, 2 and 4 workers of this machine, each with one kernel at a time.
  Efficiency is the time of one worker divided by workers and their time; this machine's cores bound it.
- *a simulation*, which says that it is one: from how many workers on the one who records is the end, by those figures.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom.demo import in_words
from autograder.classroom.grade import Grader, whole_class, write_class_report, write_tables
from autograder.classroom.submissions import Classroom
from autograder.grading.execute import Options
from autograder.grading.grade import Graded, grade_submission
from autograder.grading.lesson import Lesson, read_lesson
from autograder.grading.sandbox import choose_kernels, imported
from autograder.grading.submission import Submission
from autograder.notebooks import notebook_text
from autograder.paths import Course, find_course

from .grading import STOCK_CONFIG, lay
from .kill_grader import copy_lesson, start_grader

WORKERS = (1, 2, 4)
SIZES = (200, 10_000)  # submissions in the simulation
GRADEBOOK_ONLY = """
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.SaveAutoGrades", "nbgrader.preprocessors.AssignLatePenalties"
]
"""


def graded_once(lesson: Lesson, raw: bytes) -> tuple[Graded, float]:
    """A real result, and the seconds that it took in a warm kernel."""
    with choose_kernels(modules=imported(lesson.solution_text)) as kernels:
        for _ in (1, 2):  # the first starts the template
            start = time.monotonic()
            graded = grade_submission(Submission(raw), lesson, Options(kernels=kernels))
            seconds = time.monotonic() - start
    return graded, seconds


def recording(course: Course, lesson: Lesson, graded: Graded) -> list[tuple[float, float]]:
    """Seconds a submission, on the clock and of a processor: recorded for the first time, and unchanged."""
    classroom = Classroom(course)

    def known(*_: object) -> Graded:
        return graded

    def once() -> tuple[float, float]:
        tasks = classroom.tasks([lesson.name], classroom.students())
        start, used = time.monotonic(), time.process_time()
        console = Console(file=io.StringIO())
        grader = Grader(classroom, {lesson.name: lesson}, Options(), 2, console=console, grade_function=known)
        outcomes = grader.grade(tasks)
        failed = [outcome.failure for outcome in outcomes if outcome.failure]
        assert not failed and len(outcomes) == len(tasks), failed[:3]
        everybody = whole_class(classroom, outcomes)
        write_tables(everybody, course.classroom / "grades.csv", course.classroom / "grades.json")
        write_class_report(classroom, everybody)
        return (time.monotonic() - start) / len(tasks), (time.process_time() - used) / len(tasks)

    return [once(), once()]


def stock_gradebook(real: Course, folder: Path, lesson: Lesson, graded: Graded, students: int) -> float:
    """Seconds a submission in stock nbgrader, of which nothing runs but what writes its gradebook."""
    shutil.copytree(real.solutions / lesson.name, folder / "source" / lesson.name)
    (folder / "nbgrader_config.py").write_text(STOCK_CONFIG.format(root=str(folder)) + GRADEBOOK_ONLY)
    (folder / "config").mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "NBGRADER", "PYTHON"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = kept | {"JUPYTER_CONFIG_DIR": str(folder / "config"), "PATH": path}
    executed = notebook_text(graded.notebook).encode("utf-8", "replace")

    def run(*arguments: str) -> float:
        start = time.monotonic()
        command = [sys.executable, "-m", "nbgrader", *arguments]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
        return time.monotonic() - start

    run("generate_assignment", lesson.name, "--create")
    lay(folder / "submitted", lesson.name, {"s0": executed})
    alone = run("autograde", lesson.name, "--create")  # with the command's start
    lay(folder / "submitted", lesson.name, {f"s{number}": executed for number in range(1, students)})
    return max(0.0, run("autograde", lesson.name, "--create") - alone) / max(1, students - 1)


@contextmanager
def machines(course: Course, count: int) -> Iterator[str]:
    """A scheduler and workers on this machine; the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    package = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "COURSE_ROOT": str(course.root), "PYTHONPATH": package, "PYTHONUNBUFFERED": "1"}
    started: list[subprocess.Popen] = []

    def start(words: str, *arguments: str) -> None:
        command = [sys.executable, "-m", "autograder", *arguments]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        if not any(words in line for line in process.stdout):
            raise SystemExit(f"{' '.join(arguments)} ended before it was ready")

    try:
        start("Listening", "scheduler", address)
        for number in range(count):
            start("works for", "worker", address, "--workers", "1", "--name", f"worker-{number}")
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(60)


def on_workers(course: Course, count: int) -> float:
    """Seconds of the whole command over so many workers."""
    classroom = Classroom(course)
    for path in classroom.course.classroom.iterdir():
        if path != classroom.submitted:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    with machines(course, count) as address:
        start = time.monotonic()
        grader = start_grader(course, 2 * count, "--scheduler", address)
        words = grader.communicate(timeout=3600)[1]
        if grader.returncode:
            raise SystemExit(f"the grader failed with status {grader.returncode}: {words}")
        return time.monotonic() - start


def simulated(grading: float, record: float, size: int, workers: int) -> tuple[float, str]:
    """Seconds for a class, and what bounds them, if every worker had a core of its own and the network cost nothing."""
    parts = {"grading": grading * size / workers, "recording": record * size}
    return max(parts.values()), max(parts, key=lambda name: parts[name])


def simulation(grading: float, record: float) -> Table:
    table = Table("SIMULATION: submissions", "workers", "minutes", "bounded by")
    most = max(1, int(grading / record))
    for size in SIZES:
        for workers in sorted({1, 4, 16, most, 2 * most}):
            seconds, end = simulated(grading, record, size, workers)
            table.add_row(str(size), str(workers), f"{seconds / 60:.1f}", end)
    table.caption = f"From {most} workers on the one who records is the end, whatever the size of the class."
    return table


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster")
    parser.add_argument("lesson", nargs="?", default="01")
    parser.add_argument("--students", type=int, default=400, help="whose results are recorded (default: %(default)s)")
    parser.add_argument("--stock", type=int, default=20, help="of these by stock nbgrader, too (default: %(default)s)")
    parser.add_argument("--graded", type=int, default=12, help="submissions on workers; 0: not (default: %(default)s)")
    args = parser.parse_args(argv)
    real, console = find_course(), Console(width=120)
    lesson = read_lesson(real, real.lesson(args.lesson))
    raw = submission(lesson, reference_answers(lesson) | in_words(lesson))
    graded, seconds = graded_once(lesson, raw)
    console.print(f"{lesson.name}, {os.cpu_count()} cores; one submission in a warm kernel: {seconds:.1f} s")
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as name:
        folder = Path(name)
        course = copy_lesson(real, folder / "ours", lesson.name)
        lay(Classroom(course).submitted, lesson.name, {f"s{number:05}": raw for number in range(args.students)})
        (first, used), unchanged = recording(course, lesson, graded)
        (folder / "stock").mkdir()
        stock = stock_gradebook(real, folder / "stock", lesson, graded, args.stock)
        of_10_000 = f"10,000 in {first * 10_000 / 60:.1f} min ({used * 10_000 / 60:.1f} min of a processor)"
        console.print(f"recording {args.students}: {1000 * first:.1f} ms each, {of_10_000}")
        console.print(f"unchanged: {1000 * unchanged[0]:.1f} ms each, {1000 * unchanged[1]:.1f} of a processor")
        console.print(f"stock nbgrader's gradebook calls ({args.stock}): {1000 * stock:.1f} ms each")
        if args.graded:
            course = copy_lesson(real, folder / "workers", lesson.name)
            lay(Classroom(course).submitted, lesson.name, {f"s{number:05}": raw for number in range(args.graded)})
            table, alone = Table("workers", "seconds", "efficiency", title=f"{args.graded} submissions on workers"), 0.0
            for count in WORKERS:
                took = on_workers(course, count)
                alone = alone or took
                table.add_row(str(count), f"{took:.1f}", f"{alone / took / count:.2f}")
            console.print(table)
    console.print(simulation(seconds, first))
    return 0


if __name__ == "__main__":
    sys.exit(main())
