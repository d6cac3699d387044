"""Runs solved lessons again and again while other work keeps cores busy, and counts what went wrong.

    python -m tests.bench.lesson_runs 20 02 04 --busy 1

A run fails by an error in a cell, by text on stderr, or by a process that outlives it; each is told as it happens.
Lessons take turns, so that a count which was cut short says something about each of them.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import sys
import tempfile
from pathlib import Path

from autograder.paths import Course, find_course
from tests.kernels import run_notebook


def spin() -> None:
    while True:
        pass


@contextlib.contextmanager
def busy_cores(count: int):
    """Keep ``count`` cores busy meanwhile."""
    processes = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def run_once(course: Course, lesson: str) -> tuple[float, list[str]]:
    """Seconds of one run, and what went wrong in it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = run_notebook(course.solution_notebook(lesson), Path(folder))
        except Exception as error:  # a cell without end, a kernel that died: a failure like any other
            told = error.__context__ or error  # nbclient fails once more while it cleans up after a dead kernel
            return 0.0, [f"{type(told).__name__}: {told}"]
        wrong = [f"{cell}: {message}" for cell, message in run.errors().items()]
        return run.seconds, [*wrong, *run.stderr(), *(f"still runs: {command}" for command in run.left_behind())]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="course bench lesson_runs", description=__doc__.split("\n\n")[0])
    parser.add_argument("runs", type=int, nargs="?", default=20, help="of each lesson (default: 20)")
    parser.add_argument("lessons", nargs="*", help="e.g. 02 04; all by default")
    parser.add_argument("--busy", type=int, default=1, help="cores kept busy by other work (default: 1)")
    args = parser.parse_args(argv)
    course = find_course()
    lessons = [course.lesson(name) for name in args.lessons] or course.lessons()
    seconds: dict[str, list[float]] = {lesson: [] for lesson in lessons}
    failed = dict.fromkeys(lessons, 0)
    with busy_cores(args.busy):
        for number in range(1, args.runs + 1):
            for lesson in lessons:
                took, wrong = run_once(course, lesson)
                seconds[lesson].append(took)
                failed[lesson] += bool(wrong)
                for line in wrong:
                    print(f"run {number} of {lesson}: {line[:500]}", flush=True)
    for lesson in lessons:
        times = sorted(seconds[lesson])
        print(
            f"{lesson:28} {len(times)} runs, {failed[lesson]} failed; "
            f"median {times[len(times) // 2]:.1f} s, slowest {times[-1]:.1f} s",
            flush=True,
        )
    return 1 if any(failed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
