"""A learner's own copies of the lessons, in ``work/``.

The one rule: what a learner changed is never overwritten, whatever a build, a pull or an update brings. Which
release a copy was made from is remembered in ``work/.copies.json``; where that memory is missing or broken, a copy
that differs from the release counts as changed.

Opening a notebook is enough for JupyterLab to write its metadata anew (the Python version, folded cells). So a copy
counts as unchanged while its cells have the same texts in the same order and no outputs; see ``content``.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..errors import CourseError
from ..files import write_whole
from ..paths import SLUG, Course

MEMORY = ".copies.json"


@dataclass
class Copy:
    """What is remembered about one lesson's copy; every value is a SHA-256 in hex, or None for unknown."""

    release: str | None = None  # the release that the copy was made from: the file
    content: str | None = None  # the same release: what a learner can change of it
    beside: str | None = None  # the newest release that was put beside a changed copy


@dataclass
class Changes:
    """What one ``sync`` did, for the messages."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)

    def messages(self) -> list[str]:
        """The sentences that `course lab` prints before JupyterLab starts."""
        found = []
        if self.created:
            found.append(f"Copied to work/: {', '.join(self.created)}.")
        if self.updated:
            found.append(f"Renewed in work/ (you had not changed your copy): {', '.join(self.updated)}.")
        return found + self.beside


def sync(course: Course) -> list[str]:
    """Bring ``work/`` up to date with ``notebooks/`` and return what the learner should know, in sentences.

    A missing copy is made; a copy that the learner did not change follows the release; a newer release of a changed
    copy is put beside it, once, and never into it. Files that are no lesson's copy are left alone.

    Raises:
        CourseError: there is no lesson in ``notebooks/``, or a file cannot be read or written.
    """
    lessons = released(course)
    if not lessons:
        raise CourseError(
            f"There are no lessons in {course.notebooks}. Run `git checkout notebooks` in the course folder, "
            "or rebuild them with `make build`."
        )
    memory = load_memory(course)
    changes = Changes()
    try:
        for lesson in lessons:
            sync_lesson(course, lesson, memory.setdefault(lesson, Copy()), changes)
        save_memory(course, memory)
    except OSError as error:
        raise CourseError(
            f"Your copies in {course.work} could not be brought up to date: {error.strerror or error} "
            f"({error.filename or course.work}). What you wrote is untouched. "
            "Is the folder yours to write? Is the disk full?"
        ) from error
    return changes.messages()


def released(course: Course) -> list[str]:
    """Slugs of the lessons that have a notebook in ``notebooks/``, in order."""
    if not course.notebooks.is_dir():
        return []
    folders = (folder.name for folder in course.notebooks.iterdir())
    return sorted(name for name in folders if SLUG.fullmatch(name) and course.release_notebook(name).is_file())


def sync_lesson(course: Course, lesson: str, known: Copy, changes: Changes) -> None:
    """Bring one lesson's copy up to date, and remember it in ``known``."""
    release = course.release_notebook(lesson).read_bytes()
    newest = sha256(release)
    copy = course.work_notebook(lesson)
    mine = copy.read_bytes() if copy.exists() else None
    if mine is None or mine == release or (newest != known.release and unchanged(mine, release, known)):
        if mine != release:
            write_whole(copy, release)
            (changes.created if mine is None else changes.updated).append(lesson)
        known.release, known.content = newest, content(release)
    elif newest not in (known.release, known.beside):
        name = put_beside(copy, release, known.beside)
        known.beside = newest
        changes.beside.append(
            f"{lesson}: there is a newer version of this lesson. Your copy has your changes, so it stays as it is; "
            f"the newer one lies beside it as work/{lesson}/{name}. To move on, copy your answers into it, give your "
            f"old copy another name, and rename the new one to {lesson}.ipynb. To stay with your copy, do nothing."
        )


def unchanged(mine: bytes, release: bytes, known: Copy) -> bool:
    """Whether a copy holds nothing of the learner's: it says what its old or the newest release says."""
    return content(mine) in (known.content, content(release))


def put_beside(copy: Path, release: bytes, ours: str | None) -> str:
    """Write ``release`` next to ``copy`` and return the file's name.

    The name is ``NN_slug.new.ipynb``; a file of that name is replaced only when it is what we put there (its SHA-256 is
    ``ours``), else the next number is taken.
    """
    for number in itertools.count(1):
        name = f"{copy.stem}.new{'' if number == 1 else f'-{number}'}.ipynb"
        target = copy.with_name(name)
        if not target.exists() or sha256(target.read_bytes()) in (ours, sha256(release)):
            write_whole(target, release)
            return name
    raise AssertionError("unreachable: the numbers do not end")


def load_memory(course: Course) -> dict[str, Copy]:
    """What is remembered per lesson; empty where the file is missing or not what we wrote."""
    try:
        entries = json.loads((course.work / MEMORY).read_text(encoding="utf-8"))
        return {lesson: Copy(*map(entry.get, ("release", "content", "beside"))) for lesson, entry in entries.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def save_memory(course: Course, memory: dict[str, Copy]) -> None:
    """Write what ``load_memory`` reads at the next start."""
    entries = {lesson: asdict(copy) for lesson, copy in sorted(memory.items())}
    write_whole(course.work / MEMORY, (json.dumps(entries, indent=1) + "\n").encode())


def content(notebook: bytes) -> str:
    """A SHA-256 of what a learner can change in a notebook: cells, their texts and order, attachments and outputs.

    Metadata and the numbers of runs are left out. A file that is no notebook stands for itself.
    """
    try:
        cells = [
            [cell["cell_type"], "".join(cell["source"]), cell.get("attachments", {}), cell.get("outputs", [])]
            for cell in json.loads(notebook)["cells"]
        ]
        return sha256(json.dumps(cells, sort_keys=True).encode())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return sha256(notebook)


def sha256(data: bytes) -> str:
    """The SHA-256 of ``data`` in hex."""
    return hashlib.sha256(data).hexdigest()
