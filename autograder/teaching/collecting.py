"""What the page *Collect downloads* runs: ``course collect`` on uploaded files, in a process of its own.

    python -m autograder.teaching.collecting FOLDER

``FOLDER/asked.json`` says how (:class:`Asked`); ``FOLDER/0/NAME``, ``FOLDER/1/NAME``, … are what was uploaded. One line
of JSON is printed, an :class:`Answer`. So a large download keeps no other page of the server waiting, and the class is
held against other graders as from a terminal.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..classroom.archives import SUFFIXES, full_disk_told
from ..classroom.collect import Collected, collect
from ..classroom.grading_lock import only_grader
from ..classroom.plain_files import plain_bytes
from ..classroom.roster import read_roster
from ..classroom.submissions import note_path
from ..classroom.systems import NAMES
from ..errors import CourseError
from ..grading.sandbox.folders import remove, scratch_folder
from ..learning.server import RUNNING, stop_running
from ..paths import Course
from ..wording import typed

MAX_UPLOAD = 256 << 20  # bytes of all files of one request; they lie in the server's memory meanwhile
MAX_FILES = 50  # of one request
MAX_NAME, MAX_PATTERN, MAX_NOTE = 240, 200, 10_000  # bytes, characters, bytes
LONGEST = 1800.0  # seconds; what was taken until then stays taken
TYPES = (*SUFFIXES, ".ipynb")
ASKED = "asked.json"
UPLOADS: set[Path] = set()  # folders of requests that are not answered yet


@dataclass
class Asked:
    """What a teacher chose; each as the option of ``course collect`` of that name."""

    lesson: str = ""
    system: str = ""
    pattern: str = ""
    replace: bool = False
    student: str = ""


@dataclass
class Row:
    """A notebook that was taken."""

    student: str
    name: str
    lesson: str
    system: str
    time: str  # of handing in, UTC; "" where the system says none
    late: bool  # the system's own mark


@dataclass
class Answer:
    """What became of an upload. ``refused``: nothing was done, and why."""

    taken: list[Row] = field(default_factory=list)
    unchanged: int = 0
    said: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    refused: str = ""


def limits() -> str:
    """The bounds of one upload, in words."""
    return f"at most {MAX_FILES} files and {MAX_UPLOAD >> 20} MB at once"


def checked(course: Course, said: dict[str, str]) -> Asked:
    """What a form says, as it may be.

    Raises:
        CourseError: a lesson or system that does not exist, or a pattern that is too long.
    """
    lesson, system, pattern, student = (
        said.get(name, "").strip() for name in ("lesson", "system", "pattern", "student")
    )
    if lesson and lesson not in course.lessons():
        raise CourseError("There is no such lesson. Load the page again.")
    if system and (system not in NAMES or system == "pattern"):
        raise CourseError("There is no such system. Load the page again.")
    if max(len(pattern), len(student)) > MAX_PATTERN:
        raise CourseError(f"A pattern or an id has at most {MAX_PATTERN} characters.")
    return Asked(lesson, system, pattern, bool(said.get("replace")), student)


def plain_name(name: str) -> str:
    """What an uploaded file may be called here: its last part, without what is no plain sign of a name.

    Raises:
        CourseError: it is no archive and no notebook.
    """
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(sign for sign in last if sign.isprintable() and sign != ":").strip()
    stem, suffix = Path(kept).stem, Path(kept).suffix
    if suffix.lower() not in TYPES or stem.startswith("."):
        raise CourseError(f"{kept[:MAX_NAME]!r} is no zip, tar or notebook, so nothing was collected.")
    return stem.encode(errors="ignore")[:MAX_NAME].decode(errors="ignore") + suffix


def put_down(folder: Path, asked: Asked, files: list[tuple[str, bytes]]) -> None:
    """Write an upload as :func:`main` reads it: each file into a folder of its own, as two may have the same name.

    Args:
        files: ``(name, content)`` of each, as the browser sent them.

    Raises:
        CourseError: no file, too many, or one of another kind.
    """
    if not files:
        raise CourseError("Choose a file first.")
    if len(files) > MAX_FILES or sum(len(content) for _, content in files) > MAX_UPLOAD:
        raise CourseError(too_much())
    names = [plain_name(name) for name, _ in files]
    for number, (name, (_, content)) in enumerate(zip(names, files, strict=True)):
        place = folder / str(number)
        place.mkdir()
        (place / name).write_bytes(content)
    (folder / ASKED).write_text(json.dumps(asdict(asked)), encoding="utf-8")


def too_much() -> str:
    """What to do with a larger download."""
    return f"This page takes {limits()}. For more, use {typed('collect', 'FILE')} in a terminal. Nothing was collected."


async def run(course: Course, asked: Asked, files: list[tuple[str, bytes]]) -> Answer:
    """Collect an upload, while the server goes on with other work.

    Raises:
        CourseError: as of :func:`put_down`, or there is no room for a copy of it.
    """
    with full_disk_told(), scratch_folder("upload") as scratch, scratch_folder("collecting") as own:
        UPLOADS.update((scratch, own))
        try:
            put_down(scratch, asked, files)
            return await _child(course, scratch, own)
        finally:
            UPLOADS.difference_update((scratch, own))


@atexit.register
def remove_uploads() -> None:
    """Leave no upload behind when the server is stopped: who waits for the collector is not woken then."""
    stop_running()  # it may be writing there
    for folder in UPLOADS:
        remove(folder)


async def _child(course: Course, folder: Path, own: Path) -> Answer:
    """Collect what is in ``folder`` in a process of its own, which may be stopped: what it unpacks goes to ``own``."""
    # files, not pipes: a full pipe would stop the child
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "autograder.teaching.collecting", str(course.root), str(folder)]
        child = subprocess.Popen(command, stdout=out, stderr=log, env=os.environ | {"TMPDIR": str(own)})
        RUNNING.add(child)  # ends with the server
        try:
            async with asyncio.timeout(LONGEST):
                while child.poll() is None:
                    await asyncio.sleep(0.1)
        except TimeoutError:
            minutes = f"{LONGEST / 60:g} minutes"
            return Answer(refused=f"It took over {minutes} and was stopped. What was taken until then stays.")
        finally:
            child.kill()
            child.wait()
            RUNNING.discard(child)
        out.seek(0)
        log.seek(0)
        try:
            return read_answer(json.loads(out.read()))
        except ValueError:
            last = log.read().decode(errors="replace").strip().splitlines()[-1:]
            return Answer(refused=f"Collecting failed: {''.join(last)[:500] or 'it ended without an answer'}")


def read_answer(said: dict[str, Any]) -> Answer:
    """An :class:`Answer` from its JSON."""
    return Answer(**(said | {"taken": [Row(**row) for row in said["taken"]]}))


def answer(course: Course, folder: Path) -> Answer:
    """Collect what :func:`put_down` wrote."""
    asked = json.loads((folder / ASKED).read_text(encoding="utf-8"))
    numbers = sorted(folder.glob("[0-9]*"), key=lambda path: int(path.name))
    files = [path for number in numbers for path in number.iterdir()]
    try:
        with only_grader(course):
            chosen = (asked[name] for name in ("lesson", "system", "pattern", "replace", "student"))
            done = collect(course, files, *chosen)
    except CourseError as error:
        return Answer(refused=str(error))
    return Answer(_rows(course, done), done.unchanged, done.said, done.wrong)


def _rows(course: Course, done: Collected) -> list[Row]:
    people = read_roster(course).people
    rows = []
    for student, lesson in sorted(done.taken):
        about = json.loads(plain_bytes(note_path(course, student, lesson), MAX_NOTE))
        name = people[student].name if student in people else student
        rows.append(Row(student, name, lesson, about["system"], about["time"][:16], bool(about["late"])))
    return rows


def main(root: str, folder: str) -> int:
    with contextlib.redirect_stdout(sys.stderr):  # whatever nbgrader prints must not mix with the answer
        found = answer(Course(Path(root)), Path(folder))
    print(json.dumps(asdict(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
