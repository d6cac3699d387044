"""One grader at a time, and an orderly end when a person stops it."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from ..errors import CourseError
from ..paths import Course

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Windows locks bytes, and nobody else can read those: the locked one lies far behind the note of who holds it.
FAR = 1 << 30
MODE, GROUP = 0o600, 0o060  # of the lock's file: its owner's, and those of a group that may write to the class
_held_here: set[Path] = set()  # locks of this process


def lock_path(course: Course) -> Path:
    return course.classroom / ".grading.lock"


@contextmanager
def only_grader(course: Course) -> Iterator[None]:
    """Keep every other grader of this class out. The system frees the lock when this process ends, however it ends.

    Raises:
        CourseError: another process grades; who, and since when.
    """
    path = lock_path(course)
    course.make_classroom()
    with _open(path) as file:  # not inherited by programs that this one starts
        _close_to_strangers(path)
        if not _take(file):
            raise CourseError(_who(path))
        note = {"pid": os.getpid(), "since": datetime.now().astimezone().isoformat(timespec="seconds")}
        with suppress(OSError):  # on a full disk the lock holds all the same
            file.truncate(0)
            file.write(json.dumps(note).encode())
        _held_here.add(path)
        try:
            yield
        finally:
            _held_here.discard(path)
            course.close_classroom()  # what was made meanwhile
            file.truncate(0)
            _give_back(file)


@contextmanager
def alone(course: Course) -> Iterator[None]:
    """As :func:`only_grader`, also in a process that holds the class already.

    Raises:
        CourseError: another process grades; who, and since when.
    """
    with nullcontext() if lock_path(course) in _held_here else only_grader(course):
        yield


def _open(path: Path) -> BinaryIO:
    """The lock's file, made if it is missing, so that no other account can open it yet."""
    return open(path, "a+b", buffering=0, opener=lambda name, flags: os.open(name, flags, MODE))  # noqa: PTH123, SIM115


def _close_to_strangers(path: Path) -> None:
    """Whoever can open the lock's file can hold it: its owner, and the group that may write to its folder.

    Teachers who share a class are such a group; each of them can hold it, whatever their umask is.
    """
    with suppress(OSError):  # another teacher's
        folder, about = path.parent.stat(), path.stat()
        is_shared = folder.st_mode & stat.S_IWGRP and folder.st_gid == about.st_gid
        allowed = MODE | GROUP if is_shared else MODE
        if stat.S_IMODE(about.st_mode) != allowed:
            path.chmod(allowed)


def _take(file: BinaryIO) -> bool:
    try:
        if sys.platform == "win32":
            file.seek(FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _give_back(file: BinaryIO) -> None:
    if sys.platform == "win32":
        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_UN)


def _who(path: Path) -> str:
    try:
        note = json.loads(path.read_bytes())
        who = f"process {note['pid']}, since {datetime.fromisoformat(note['since']):%Y-%m-%d %H:%M:%S}"
    except (OSError, ValueError, KeyError, TypeError):
        who = "it does not say which process"  # it has only just started
    return (
        f"This class is being graded already ({who}). Two graders at once would write over each other's results, so "
        "nothing was done. Wait until the other one is done, or stop it with Ctrl-C; what it has graded is kept."
    )
