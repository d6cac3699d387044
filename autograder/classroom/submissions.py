"""A teacher's class on disk: who handed in what, and the journal of what was graded."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..paths import Course
from ..grading.lesson import Lesson
from ..grading.text import clean
from ..grading.reading import MAX_FILE_BYTES
from ..grading.report import Report

MAX_TIME = 200  # bytes of a timestamp.txt


@dataclass
class HandedIn:
    """The bytes that a student handed in for a lesson, with what was odd about the file itself."""

    raw: bytes | None
    mends: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)

    def key(self, lesson: Lesson) -> str:
        """Changes when the submission, the lesson or the grader changes."""
        content = b"-" if self.raw is None else b"+" + self.raw
        return hashlib.sha256(f"{lesson.version} {self.mends} {self.flags} ".encode() + content).hexdigest()


def hand_in(folder: Path, lesson: str) -> HandedIn:
    """Read a student's notebook of a lesson from ``folder``, also when it has another file name.

    Never raises: what cannot be read is None, with a flag that says why.
    """
    if folder.is_symlink() or folder.parent.is_symlink():  # an archive may bring it in
        return HandedIn(None, flags=["The submission's folder is a link to another place; nothing was read there."])
    handed = _notebook_in(folder, f"{lesson}.ipynb")
    if handed_in_time(folder) is None:
        handed.flags.append(NO_TIME)
    return handed


NO_TIME = "The time of handing in (timestamp.txt) is no time, so nobody knows whether this is late."


def _notebook_in(folder: Path, name: str) -> HandedIn:
    try:
        named = folder / name
        if _is_plain(named):
            return HandedIn(_bytes_of(named))
        others = sorted(path for path in folder.glob("*.ipynb") if _is_plain(path))
        if len(others) == 1:
            mend = f"The file was named {clean(others[0].name)}, not {name}; it was taken, as it is the only notebook."
            return HandedIn(_bytes_of(others[0]), [mend])
    except OSError as error:
        return HandedIn(None, flags=[f"The submission could not be read: {error.strerror or error}."])
    if others:
        names = ", ".join(clean(path.name) for path in others[:5])
        return HandedIn(
            None, flags=[f"There are {len(others)} notebooks and none is named {name}: {names}. Rename one of them."]
        )
    return HandedIn(None)


def _is_plain(path: Path) -> bool:
    """A file of its own: a link may lead to another's work, a pipe to nowhere."""
    return path.is_file() and not path.is_symlink()


def _bytes_of(path: Path) -> bytes:
    """Of a file that is too large only so many that intake sees it: a terabyte of nothing takes no room on a disk."""
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def handed_in_time(folder: Path) -> str | None:
    """The text of a submission's ``timestamp.txt``; "" where there is none, None where it holds no time."""
    path = folder / "timestamp.txt"
    try:
        if not path.exists() and not path.is_symlink():
            return ""
        if not _is_plain(path):
            return None
        with path.open("rb") as file:
            text = file.read(MAX_TIME).decode().strip()
        if text:
            from nbgrader.utils import parse_utc  # late: it takes a moment, and most commands do without

            parse_utc(text)
        return text
    except (OSError, ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Task:
    """One student's submission for one lesson."""

    student: str
    lesson: str
    folder: Path


@dataclass(frozen=True)
class Classroom:
    """The class of a course: ``classroom/`` and what lies in it."""

    course: Course

    @property
    def submitted(self) -> Path:
        return self.course.classroom / "submitted"

    @property
    def gradebook(self) -> Path:
        return self.course.classroom / "gradebook.db"

    def students(self) -> list[str]:
        """Folder names under ``submitted/``, which are the students' ids.

        Raises:
            CourseError: there is no class, or nobody handed in anything.
        """
        if not self.submitted.is_dir():
            raise CourseError(
                "There is no class yet: classroom/submitted/ does not exist. Put submissions at "
                "classroom/submitted/STUDENT/LESSON/LESSON.ipynb, or try `course demo` for a made-up class."
            )
        found = sorted(p.name for p in self.submitted.iterdir() if p.is_dir() and not p.name.startswith("."))
        if not found:
            raise CourseError(
                "Nobody has handed in anything: classroom/submitted/ is empty. Submissions belong at "
                "classroom/submitted/STUDENT/LESSON/LESSON.ipynb; `course demo` puts a made-up class there."
            )
        return found

    def tasks(self, lessons: list[str], students: list[str]) -> list[Task]:
        """Every submission of these students for these lessons, lesson by lesson."""
        return [
            Task(student, lesson, self.submitted / student / lesson)
            for lesson in lessons
            for student in students
            if (self.submitted / student / lesson).is_dir()
        ]

    def strangers(self) -> list[str]:
        """Folders of students that are no lesson's, e.g. a misspelt one: nothing in them can be graded."""
        known = set(self.course.lessons())
        return sorted(
            f"{student.name}/{folder.name}"
            for student in self.submitted.iterdir()
            if student.is_dir()
            for folder in student.iterdir()
            if folder.name not in known and not folder.name.startswith(".")
        )


@dataclass
class Outcome:
    """One submission after grading: the certain points are the gradebook's, grades by hand included."""

    task: Task
    report: Report
    score: float
    max_score: float
    waits: bool  # something is still to be graded or looked at by a person
    failure: str = ""  # why it could not be recorded
    seconds_late: float = 0


