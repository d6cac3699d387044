"""Intake of an unusual notebook is tried first in a process of its own, with limits of time and memory.

CPython takes the square, and more, of some texts' length, and no other thread runs meanwhile. Those that are known are
refused as they are read (:func:`autograder.python_code.limited`); who finds another one stops nobody else's grading.
"""

from __future__ import annotations

import math
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import CourseError
from .lesson import Lesson
from .reading import Seen

if sys.platform != "win32":
    import resource

LONG = 5_000  # characters of a code cell
MUCH = 30_000  # of all code cells
VERY_MUCH = 300_000  # of all cells
SECONDS = 20  # of a processor
MEMORY, MOST_MEMORY = 1 << 30, 4 << 30  # bytes that are too many, and those at which it is stopped
PACKAGES = str(Path(__file__).resolve().parents[2])
TOO_MUCH = 3  # exit status
_START = "import sys; sys.path.insert(0, sys.argv[1]); from autograder.grading.trial import main; main()"


def is_unusual(cells: Iterable[Seen], lesson: Lesson) -> bool:
    """Whether more is written in these cells than a text of which even the worst is read in a moment."""
    lessons = {cell.source for cell in lesson.release.cells}
    own = [cell for cell in cells if cell.text not in lessons]
    code = [len(cell.text) for cell in own if cell.kind == "code"]
    return max(code, default=0) > LONG or sum(code) > MUCH or sum(len(cell.text) for cell in own) > VERY_MUCH


def refused(function: Callable[..., object], *arguments: object) -> str:
    """What a call takes too much of: "time" or "memory"; "" where it can be made here, too.

    Args:
        function: of a module.
        arguments: can be pickled.

    Raises:
        CourseError: it could not be tried.
    """
    if sys.platform == "win32":  # which has no such limits, and where nobody grades a class
        return ""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _START, PACKAGES],
            input=pickle.dumps((SECONDS, MEMORY, function, arguments)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as error:
        raise CourseError(f"A process that tries to read a notebook could not be started: {error}") from error
    if done.returncode == -signal.SIGXCPU:
        return "time"
    if done.returncode == TOO_MUCH:
        return "memory"
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise CourseError(f"A process that tried to read a notebook ended with {done.returncode}. {''.join(why)[:500]}")
    return ""


def main() -> None:
    """The process: makes the call that it is given, and says by its exit status whether that took too much."""
    seconds, memory, function, arguments = pickle.load(sys.stdin.buffer)  # from the grader: with it come the imports
    limit = math.ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 10))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    try:
        function(*arguments)
    except MemoryError:
        sys.exit(TOO_MUCH)
    unit = 1024 if sys.platform == "linux" else 1
    sys.exit(TOO_MUCH if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > memory else 0)
