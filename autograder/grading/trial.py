"""Intake of an unusual notebook is tried first in a process of its own, with limits of time and memory.

CPython takes the square, and more, of some texts' length, and no other thread runs meanwhile. Those that are known are
refused as they are read (:func:`autograder.python_code.limited`); who finds another one holds others up for seconds,
not for minutes.
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

if sys.platform == "linux":
    import resource

LONG = 5_000  # characters of a code cell
MUCH = 30_000  # of all code cells
VERY_MUCH = 300_000  # of all cells
SECONDS, LONGEST = 20, 600  # of a processor; and of a clock, where others have it
MEMORY, MOST_MEMORY = 1 << 30, 2 << 30  # bytes that are too many, and those (of addresses) at which it is stopped
PACKAGES = str(Path(__file__).resolve().parents[2])
TOO_MUCH = 3  # exit status
_START = (  # this package, wherever it is, and nothing else of the folder that it is in
    "import sys; sys.path.insert(0, sys.argv[1]); import autograder; del sys.path[0]; "
    "from autograder.grading.trial import main; main()"
)


def is_unusual(cells: Iterable[Seen], lesson: Lesson) -> bool:
    """Whether more is written in these cells than a text of which even the worst is read in a moment."""
    lessons = {_bare(cell.source) for cell in lesson.release.cells}
    own = [cell for cell in cells if _bare(cell.text) not in lessons]
    code = [len(cell.text) for cell in own if cell.kind == "code"]
    return max(code, default=0) > LONG or sum(code) > MUCH or sum(len(cell.text) for cell in own) > VERY_MUCH


def _bare(text: str) -> str:
    """A text without spaces: Colab adds one to each `#@title`."""
    return "".join(text.split())


def refused(function: Callable[..., object], *arguments: object) -> str:
    """What a call takes too much of: "time" or "memory"; "" where it can be made here, too.

    Only on Linux, where classes are graded; other systems have no such limits, or refuse them.

    Args:
        function: of a module.
        arguments: can be pickled.

    Raises:
        CourseError: it could not be tried.
    """
    if sys.platform != "linux":
        return ""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _START, PACKAGES],  # -P: nothing of the folder that it is started in
            input=pickle.dumps((SECONDS, MEMORY, function, arguments)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=LONGEST,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CourseError(f"A process that tries to read a notebook did not start or end: {error}") from error
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
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    _limit("CORE", 0)
    _limit("CPU", math.ceil(time.process_time()) + seconds)
    room = _limit("AS", MOST_MEMORY)
    try:
        function(*arguments)
    except MemoryError:
        if room == MOST_MEMORY:
            sys.exit(TOO_MUCH)
        raise  # this machine has less
    sys.exit(TOO_MUCH if _most_memory() > memory else 0)


def _limit(what: str, most: int) -> int:
    """Of these limits the lower one counts, where the system has its own; returns it."""
    if sys.platform != "linux":
        return most
    kind = getattr(resource, f"RLIMIT_{what}")
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, hard))
    return most


def _most_memory() -> int:
    """Bytes that this process had at most; 0 where the system does not say it. (`ru_maxrss` counts those of the process
    that started it, too.)"""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
