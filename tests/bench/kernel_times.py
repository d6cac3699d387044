"""Seconds per submission of a lesson in plain, cold and warm kernels, in one run.

    python -m tests.bench.kernel_times [LESSON] [--submissions 6] [--rounds 2] [--workers 1 2]

Each submission is the lesson with right answers of its bank, graded through intake, run and verdict. The kinds of
kernel take turns, so that a busy moment of the machine meets all of them. *Floor* is what the cells alone took in the
warm kernels. *Memory* is the most that one submission held for itself (anonymous and shared memory, what the kernel
shares with the template counted in full); the template itself is said below the table.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import psutil
from rich.console import Console
from rich.table import Table

from autograder.authoring.answers import reference_answers, submission
from autograder.grading.execute import Options, execute
from autograder.grading.intake import take_in
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import ColdKernels, Kernels, WarmKernels, choose_kernels
from autograder.grading.sandbox.watchdog import use_of
from autograder.grading.submission import Submission
from autograder.grading.verdict import report_of
from autograder.paths import find_course

MIB = 1 << 20


@dataclass
class Measured:
    """One kind of kernels at one number of workers."""

    seconds: list[float] = field(default_factory=list)  # per submission: the time of a round divided by its submissions
    cells: list[float] = field(default_factory=list)  # per submission: what its cells alone took
    memory: int = 0
    scores: set = field(default_factory=set)


def one(raw: bytes, lesson, kernels: Kernels) -> tuple[float, tuple]:
    """Grade one submission: seconds of its cells alone, and its score."""
    clean = take_in(Submission(raw), lesson)
    executed = execute(clean.notebook, Options(kernels=kernels), lesson.solution)
    return sum(run.seconds for run in executed.cells.values()), report_of(executed, clean, lesson).automatic


def measure(raw: bytes, lesson, kernels: Kernels, workers: int, submissions: int, into: Measured) -> None:
    with _Peak(kernels) as peak:
        start = time.monotonic()
        with ThreadPoolExecutor(workers) as pool:
            results = list(pool.map(lambda _: one(raw, lesson, kernels), range(submissions)))
        into.seconds.append((time.monotonic() - start) / submissions)
    into.cells += [cells for cells, _ in results]
    into.scores |= {score for _, score in results}
    into.memory = max(into.memory, peak.largest)


class _Peak:
    """The most memory that one kernel with all its processes held, seen from outside ten times a second."""

    def __init__(self, kernels: Kernels) -> None:
        self.largest, self._template = 0, getattr(getattr(kernels, "template", None), "pid", None)

    def __enter__(self):
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            for root in self._roots():
                self.largest = max(self.largest, use_of(root).memory_bytes)

    def _roots(self) -> list[int]:
        """The first process of each submission: of the template's grandchildren, or of this process's children."""
        try:
            if self._template is None:
                return [child.pid for child in psutil.Process().children()]
            generation = [psutil.Process(self._template)]
            for _ in range(4):  # bubblewrap, its first process, the template, a keeper, a submission's first process
                generation = [child for process in generation for child in process.children()]
            return [process.pid for process in generation]
        except psutil.Error:
            return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", nargs="?", default="01")
    parser.add_argument("--submissions", type=int, default=6, help="per round and kind (default: 6)")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    course = find_course()
    lesson = read_lesson(course, course.lesson(options.lesson))
    raw = submission(lesson, reference_answers(lesson))
    with choose_kernels() as warm:
        kinds = {"plain, cold": Kernels(), "sandbox, cold": ColdKernels()}
        if isinstance(warm, WarmKernels):
            kinds["sandbox, warm"] = warm
        started = time.monotonic()
        one(raw, lesson, warm)
        started = time.monotonic() - started
        measured = {(kind, workers): Measured() for workers in options.workers for kind in kinds}
        for _ in range(options.rounds):
            for (kind, workers), into in measured.items():
                measure(raw, lesson, kinds[kind], workers, options.submissions, into)
        pid = warm.template.pid if isinstance(warm, WarmKernels) else None
        template = use_of(pid).memory_bytes if pid else 0
    show(lesson.name, measured, started, template)


def show(name: str, measured: dict[tuple[str, int], Measured], started: float, template: int) -> None:
    first = statistics.mean(next(iter(measured.values())).seconds)
    table = Table(title=f"{name}: seconds per submission")
    for column in ("kernels", "workers", "seconds", "rounds", "faster", "floor", "× floor", "memory MB", "points"):
        table.add_column(column, justify="left" if column == "kernels" else "right")
    floors = {workers: statistics.mean(m.cells) / workers for (kind, workers), m in measured.items() if "warm" in kind}
    for (kind, workers), m in measured.items():
        seconds, floor = statistics.mean(m.seconds), floors.get(workers, 0.0)
        table.add_row(
            kind,
            str(workers),
            f"{seconds:.2f}",
            " ".join(f"{value:.2f}" for value in m.seconds),
            f"{first / seconds:.1f}×",
            f"{floor:.2f}",
            f"{seconds / floor:.2f}" if floor else "",
            f"{m.memory / MIB:.0f}",
            ", ".join(f"{points:g}/{of:g}" for points, of in sorted(m.scores)),
        )
    console = Console(width=110)
    console.print(table)
    console.print(
        f"The first submission, with the start of the template: {started:.1f} s. "
        f"The template holds {template / MIB:.0f} MB, which its kernels share."
    )


if __name__ == "__main__":
    main()
