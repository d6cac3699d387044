"""A class on disk: who handed in what, and when."""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ..errors import CourseError, is_machine_fault
from ..grading.lesson import Lesson
from ..grading.reading import MAX_FILE_BYTES
from ..grading.submission import Submission
from ..grading.text import clean, clean_line
from ..paths import GRADEBOOK, Course
from ..wording import typed
from .plain_files import TWICE, plain_bytes, read_plain, what_is_odd

CLOSED = (errno.EACCES, errno.EPERM, errno.EMLINK)  # to this account; the last: a file that has a second name
MAX_ID = 200  # bytes of a student's id, which becomes part of file names
MAX_NOTE = 100_000  # bytes of what a system said
MAX_SHOWN = 60  # characters of a learner's name of a file in a sentence
MAX_TIME = 100  # bytes of a timestamp.txt
ROUNDING = timedelta(minutes=2)  # clocks differ, and archives keep even seconds
UNKNOWN_TIME = "No time of handing in is known (timestamp.txt is missing or empty), so this may be late{}."
SAYS_NONE = " says none, so this may be late."
TOLD_NO_TIME = f"No time of handing in is known, as {{}}{SAYS_NONE}"  # the file's own time is that of collecting it
BESIDE = "It came with the files of another lesson, of which {} marks what is late, so this may be late."
MARK_LATENESS = ("Canvas", "ILIAS")  # systems that mark what is late
NO_TIME = "The time of handing in (timestamp.txt) is no time, so nobody knows whether this is late."


@dataclass(frozen=True)
class Task:
    """One student's submission for one lesson, and the folder that it lies in."""

    student: str
    lesson: str
    folder: Path


def read_submission_of(task: Task) -> Submission:
    """Read a student's notebook, also when it has another file name. Called by all who grade a class.

    What cannot be read is None, with a flag that says why. A link is never followed: an archive may bring one in, and
    it may lead to another's work.

    Raises:
        OSError: this machine or its disk refuses, or what was there has gone, which says nothing of what was handed
            in; or the file is closed to this account, or has a second name elsewhere (:data:`CLOSED`).
    """
    folder = task.folder
    if folder.is_symlink() or folder.parent.is_symlink():
        return Submission(None, flags=["The submission's folder is a link to another place; nothing was read there."])
    submission = _notebook_in(folder, f"{task.lesson}.ipynb")
    if read_time(folder) is None:
        submission.flags.append(NO_TIME)
    return submission


def unread(error: OSError) -> Submission:
    """What stands for work that could not be read, where there is no result of an earlier reading."""
    return Submission(None, flags=[f"The submission could not be read: {error.strerror or error}."])


def _notebook_in(folder: Path, name: str) -> Submission:
    try:
        named = folder / name
        for path in [named] if os.path.lexists(named) else notebooks_in(folder):
            if what_is_odd(path) == TWICE:
                raise OSError(errno.EMLINK, f"it is {TWICE}; put a copy in its place", str(path))
        if _is_plain(named):  # one byte more than is read, so that intake can tell
            beside = [_quoted(path) for path in filter(_is_plain, notebooks_in(folder)) if path.name != name]
            return Submission(read_plain(named, MAX_FILE_BYTES + 1), beside=beside)
        odd = what_is_odd(named)
        if odd and os.path.lexists(named):
            return Submission(None, flags=[f"{name} is {odd}; it was not read. Ask for the file itself."])
        others = list(filter(_is_plain, notebooks_in(folder)))
        if len(others) == 1:
            mend = f"The file was named {_quoted(others[0])}, not {name}; it was taken, as it is the only notebook."
            return Submission(read_plain(others[0], MAX_FILE_BYTES + 1), [mend])
    except OSError as error:
        if error.errno is not None:  # the system's: a disk that was taken away, say, tells nothing of anybody's work
            raise
        return unread(error)
    if others:
        names = ", ".join(map(_quoted, others[:5]))
        many = f"There are {len(others)} notebooks and none is named {name}: {names}. Rename one of them."
        return Submission(None, flags=[many])
    return Submission(None, missing=True)


def is_notebook(path: Path) -> bool:
    """Whether a file is called a notebook, however its ending is written."""
    return path.suffix.lower() == ".ipynb"


# For who asks for the endings themselves.
ENDINGS = [f".{''.join(letters)}" for letters in itertools.product(*((sign, sign.upper()) for sign in "ipynb"))]


def is_of_macos(path: Path) -> bool:
    """Whether a file is what macOS writes beside another one on foreign disks and into archives."""
    return path.name.startswith("._") and os.path.lexists(path.parent / path.name.removeprefix("._"))


def notebooks_in(folder: Path) -> list[Path]:
    """What lies in a folder and is called a notebook, but for what macOS writes beside one. Raises OSError."""
    return sorted(path for path in folder.iterdir() if is_notebook(path) and not is_of_macos(path))


def listed_notebooks(folder: Path) -> list[Path]:
    """The same; none where the folder cannot be listed."""
    try:
        return notebooks_in(folder)
    except OSError:
        return []


def _quoted(path: Path) -> str:
    """A learner's name of a file in a sentence of ours, where it must not go on the sentence."""
    name = clean_line(path.name)
    return repr(name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}…")


def is_folder(path: Path) -> bool:
    """As ``Path.is_dir``, also of one that the system refuses to look at, as an archive may bring it: that is none.

    It may lie in a folder that may not be entered, or be a link to one, or to a name that is too long.
    """
    return os.path.isdir(path)  # noqa: PTH112


def _is_plain(path: Path) -> bool:
    return not what_is_odd(path) and path.is_file()  # in this order: a link may lead to what the system refuses


def key_of(submission: Submission, lesson: Lesson) -> str:
    """What the journal knows a result by: changes when the submission, the lesson or the grader changes."""
    return _hash_of(submission, f"{lesson.version} ")


def content_of(submission: Submission, known: str = "") -> str:
    """What the journal knows the work itself by: changes when something else is handed in, not with the grader.

    Nor with a file's name or its time, where there are bytes.

    Args:
        known: what the journal calls the last work. Older versions counted the name in, and where that is still right,
            it stays.
    """
    with_its_name = _hash_of(submission, "")
    if submission.raw is None or known == with_its_name:
        return with_its_name
    return _hash_of(Submission(submission.raw), "")


def seed_of(learner: int, submission: Submission) -> int:
    """From which hidden checks draw for this work: other inputs for other work, of which feedback told nothing yet.

    Args:
        learner: the learner's own seed for the lesson, which nobody is told.
        submission: of which the file's bytes count alone.
    """
    return int.from_bytes(hashlib.sha256(f"{learner} ".encode() + (submission.raw or b"")).digest()[:4], "big")


def _hash_of(submission: Submission, version: str) -> str:
    content = b"-" if submission.raw is None else b"+" + submission.raw
    words = f"{version}{submission.mends} {submission.flags} {submission.beside or ''}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(words + content).hexdigest()


def time_of(folder: Path) -> str | None:
    """As :func:`read_time`, for what shows a time; None also where the machine refuses."""
    try:
        return read_time(folder)
    except OSError:
        return None


def read_time(folder: Path) -> str | None:
    """The text of a submission's ``timestamp.txt``; "" where there is none, None where it holds no time.

    Raises:
        OSError: this machine or its disk refuses, so that nobody knows.
    """
    path = folder / "timestamp.txt"
    try:
        if not path.exists() and not path.is_symlink():
            return ""
        if what_is_odd(path, single=False):
            return None
        text = time_in(read_plain(path, MAX_TIME + 1, single=False))  # a time of whomever is no secret
        return text if not text or parsed_time(text) else None
    except (OSError, ValueError) as error:
        if is_machine_fault(error):
            raise
        return None


def time_in(content: bytes) -> str:
    """The text of a ``timestamp.txt`` with these bytes, of which only the first are looked at."""
    return content[: MAX_TIME + 1].decode(errors="replace").strip()


def parsed_time(text: str) -> datetime | None:
    """A time as nbgrader reads it (UTC, without saying so); None where it is none."""
    from nbgrader.utils import parse_utc  # late: it takes a moment, and most commands do without

    try:
        return parse_utc(text) if len(text) <= MAX_TIME and text.isprintable() else None
    except Exception:  # a stranger's text may end the parser in any way (decimal.InvalidOperation was one)
        return None


def odd_time(task: Task, is_due: bool = False) -> str:
    """A sentence where nobody knows when something was handed in that is due, or a time is not to be believed; else "".

    It is not where ``timestamp.txt`` says an earlier time than the notebook's file: nbgrader's collect writes the time
    of handing in after the notebook was saved. A learner's own ``timestamp.txt``, in an archive or on a shared disk,
    may say anything; files that were copied without their times look alike.

    When a file was changed that ``course collect`` wrote says nothing where the system told no time: it is when the
    teacher collected it.
    """
    text = time_of(task.folder)
    said, changed = parsed_time(text or ""), _last_changed(task.folder)
    saved = f"the notebook was last changed on {changed:%Y-%m-%d %H:%M} (UTC)" if changed else ""
    if said is None:
        about = said_of(task)
        system = about.get("system")
        if about.get("late"):
            return f"{system} marks this as late, and says no time."
        if about.get("was late") and not is_due:
            return f"{about['was late']} marked as late what was collected; the file has been changed since."
        if about.get("beside") and system in MARK_LATENESS:
            return BESIDE.format(system) if is_due else ""
        is_there = text == "" and bool(listed_notebooks(task.folder))
        if not is_due or not is_there or system in MARK_LATENESS:  # where late work is marked, no mark means in time
            return ""
        if system and not about.get("time"):
            return TOLD_NO_TIME.format(system)
        return UNKNOWN_TIME.format(saved and f"; {saved}")
    if changed is None or changed - said < ROUNDING:
        return ""
    return f"timestamp.txt says {said:%Y-%m-%d %H:%M}, but {saved}: who wrote that time?"


def is_about_one(odd: str) -> bool:
    """Whether what :func:`odd_time` says is a reason to look at one learner.

    It is not where a system told no time: then it told nobody's.
    """
    return bool(odd) and not odd.endswith(SAYS_NONE)


def odd_time_of_one(task: Task, is_due: bool) -> str:
    """As :func:`odd_time`, for the learner's own page; "" where it is no reason to look at this learner."""
    odd = odd_time(task, is_due)
    return odd if is_about_one(odd) else ""


def _last_changed(folder: Path) -> datetime | None:
    """When the newest notebook in a folder was saved, as UTC; None where there is none, or its time lies in no year."""
    try:
        times = [path.lstat().st_mtime for path in listed_notebooks(folder)]
        return datetime.fromtimestamp(max(times), UTC).replace(tzinfo=None) if times else None
    except (OSError, OverflowError, ValueError):
        return None


def note_path(course: Course, student: str, lesson: str) -> Path:
    """Where ``course collect`` keeps what another system said of a submission."""
    return course.classroom / "collected" / lesson / f"{student}.json"


def said_of(task: Task) -> dict[str, Any]:
    """What another system said of the very notebook that is there; where it is another one, only that one was late.

    A note that an older version wrote does not say of which notebook it is, and is believed.
    """
    note = note_path(Course(task.folder.parents[3]), task.student, task.lesson)
    try:
        about = json.loads(read_plain(note, MAX_NOTE, single=False)) if note.is_file() else {}
        if not isinstance(about, dict):
            return {}
        content = about.get("sha256")
        if content is None or content == digest(task.folder / f"{task.lesson}.ipynb"):
            return about
        return {"was late": about.get("system")} if about.get("late") else {}
    except (OSError, ValueError):
        return {}


def digest(path: Path) -> str:
    """What tells contents of notebooks apart; all contents at once may be larger than the memory.

    Raises:
        OSError: it cannot be read, is no plain file, or is too large for a notebook.
    """
    return hashlib.sha256(plain_bytes(path, MAX_FILE_BYTES, single=False)).hexdigest()


# Letters and marks that nothing is drawn for, or that only say how another is drawn.
NOT_SEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def why_no_id(name: str) -> str:
    """Why a folder's name cannot be a student's id, as half a sentence; "" where it can.

    An id becomes part of file names, rows of the gradebook and lines of tables, so it has to be plain text.
    """
    try:
        size = len(name.encode("utf-8"))
    except UnicodeEncodeError:
        return "it holds bytes that are not UTF-8 text"
    if size > MAX_ID:
        return f"it is longer than {MAX_ID} bytes"
    if clean(name) != name or not name.isprintable() or NOT_SEEN.search(name):
        return "it holds characters that cannot be seen"
    if name != name.strip():
        return "it begins or ends with a space"
    return ""


def why_no_id_for_nbgrader(name: str) -> str:
    """As :func:`why_no_id`, where nbgrader's commands are told the id: for these ``*`` in one stands for everybody."""
    return why_no_id(name) or ("nbgrader takes it for a pattern" if set(name) & set("*?[]") else "")


@dataclass(frozen=True)
class Classroom:
    """The class of a course: ``classroom/`` and what lies in it."""

    course: Course

    @property
    def submitted(self) -> Path:
        return self.course.classroom / "submitted"

    @property
    def gradebook(self) -> Path:
        return self.course.classroom / GRADEBOOK

    @property
    def has_gradebook(self) -> bool:
        """An empty file keeps its place where nbgrader would make one that everybody may read."""
        return self.gradebook.is_file() and self.gradebook.stat().st_size > 0

    def students(self) -> list[str]:
        """Folder names under ``submitted/``, which are the students' ids.

        Raises:
            CourseError: there is no class, or nobody handed in anything.
        """
        if not self.submitted.is_dir():
            raise CourseError(
                "There is no class yet: classroom/submitted/ does not exist. Put submissions at "
                f"classroom/submitted/STUDENT/LESSON/LESSON.ipynb, or try {typed('demo')} for a made-up class."
            )
        found = sorted(name for name in self._folders() if not why_no_id(name))
        if not found:
            raise CourseError(
                "Nobody has handed in anything: classroom/submitted/ is empty. Submissions belong at "
                f"classroom/submitted/STUDENT/LESSON/LESSON.ipynb; {typed('demo')} puts a made-up class there."
            )
        return found

    def tasks(self, lessons: list[str], students: list[str]) -> list[Task]:
        """Every submission of these students for these lessons, lesson by lesson."""
        return [
            Task(student, lesson, self.submitted / student / lesson)
            for lesson in lessons
            for student in students
            if is_folder(self.submitted / student / lesson)
        ]

    def everything(self, lessons: list[str]) -> list[Task]:
        """Everybody's submissions for these lessons; none where there is no class."""
        there = self._folders() if self.submitted.is_dir() else []
        return self.tasks(lessons, sorted(name for name in there if not why_no_id(name)))

    def _folders(self) -> list[str]:
        return [path.name for path in self.submitted.iterdir() if is_folder(path) and not path.name.startswith(".")]

    def strangers(self) -> list[str]:
        """What lies in the class and cannot be graded, as sentences: a misspelt lesson, a name that is no id."""
        known = set(self.course.lessons())
        found = [
            f"classroom/submitted/{clean_line(path.name)} is not graded: it lies in no learner's folder. Put it at "
            "classroom/submitted/STUDENT/LESSON/LESSON.ipynb."
            for path in self.submitted.iterdir()
            if not is_folder(path) and not path.name.startswith(".")
        ]
        for name in self._folders():
            shown = f"classroom/submitted/{clean_line(name)}"
            if why := why_no_id(name):
                found.append(f"{shown} is not graded: its name cannot be a student's id, as {why}. Rename the folder.")
                continue
            try:
                folders = [path.name for path in (self.submitted / name).iterdir() if not path.name.startswith(".")]
            except OSError as error:
                found.append(f"{shown} cannot be read: {error.strerror or error}.")
                continue
            unknown = [folder for folder in folders if folder not in known]
            found += [
                f"{shown}/{clean_line(folder)} is not graded: there is no lesson of that name." for folder in unknown
            ]
        return sorted(found)
