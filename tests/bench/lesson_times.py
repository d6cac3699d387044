"""How long each lesson takes from top to bottom, compared with a bare `import tensorflow` in the same run; its memory.

    python -m tests.bench.lesson_times [LESSON ...]

Prints seconds, the ratio to the import, and the most memory that the kernel and its processes held together (pages
that several share count once); the slowest three cells of each lesson stand beside it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import psutil

from autograder.paths import find_course
from tests.kernels import run_notebook

from .grading import MB, PeakMemory, proportional


def import_seconds() -> float:
    """Seconds that a new process takes to import TensorFlow; the best of three."""
    times = []
    for _ in range(3):
        start = time.monotonic()
        subprocess.run([sys.executable, "-c", "import tensorflow"], check=True, capture_output=True)
        times.append(time.monotonic() - start)
    return min(times)


def cell_seconds(cell) -> float:
    """Seconds that a cell ran, from the times that the kernel reported."""
    times = cell.metadata.get("execution", {})
    begin, end = times.get("iopub.execute_input"), times.get("iopub.status.idle")
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds() if begin and end else 0.0


def main(names: list[str]) -> None:
    course = find_course()
    base = import_seconds()
    print(f"{'import tensorflow':24} {base:6.1f} s   1.0 x")
    for lesson in [course.lesson(name) for name in names] or course.lessons():
        own = proportional(psutil.Process())
        with tempfile.TemporaryDirectory() as folder, PeakMemory(os.getpid()) as peak:
            run = run_notebook(course.solution_notebook(lesson), Path(folder))
        slowest = sorted(run.notebook.cells, key=cell_seconds, reverse=True)[:3]
        cells = ", ".join(f"{cell.id} {cell_seconds(cell):.1f} s" for cell in slowest)
        took = f"{run.seconds:6.1f} s {run.seconds / base:5.1f} x {(peak.bytes - own) / MB:6.0f} MB"
        print(f"{lesson:24} {took}   slowest cells: {cells}")


if __name__ == "__main__":
    main(sys.argv[1:])
