"""A learner's own copies of the lessons, in ``work/``.

The one rule: what a learner changed is never lost, whatever a build, a pull or an update brings. A renewed lesson
takes a learner's answers over, as grading would find them, and the old copy, which alone has their notes, stays beside
it. Which release a copy was made from is remembered in ``work/.copies.json``; where that memory is missing or broken, a
copy that differs from the release counts as changed.

Opening a notebook is enough for JupyterLab to write its metadata anew (the Python version, folded cells), and running
it writes outputs. So a copy counts as unchanged while its cells have the same texts in the same order
(:func:`autograder.notebooks.content`).
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import nbformat

from ..errors import CourseError
from ..files import write_whole
from ..grading.intake import NOT_TAKEN, take_in
from ..grading.lesson import Lesson
from ..grading.submission import Submission
from ..notebooks import content, notebook_text
from ..paths import SLUG, Course

MEMORY = ".copies.json"


@dataclass
class Copy:
    """What is remembered about one lesson's copy; every value is a SHA-256 in hex, or None for unknown."""

    release: str | None = None  # the release that the copy was made from: the file
    content: str | None = None  # the same release: what a learner can change of it
    beside: str | None = None  # the newest release that was put beside a copy which could not be read


@dataclass
class Changes:
    """What one ``sync`` did, for the messages."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)

    def messages(self) -> list[str]:
        """The sentences that `course lab` prints before JupyterLab starts."""
        found = []
        if self.created:
            found.append(f"Copied to work/: {', '.join(self.created)}.")
        if self.updated:
            found.append(f"Renewed in work/ (you had not changed your copy): {', '.join(self.updated)}.")
        return found + self.moved


def sync(course: Course) -> list[str]:
    """Bring ``work/`` up to date with ``notebooks/`` and return what the learner should know, in sentences.

    A missing copy is made; a copy that the learner did not change follows the release. A newer release of a changed
    copy takes over the learner's answers and code cells, and the old copy, with all else that they wrote, is kept
    beside it; where the copy cannot be read, the newer one is put beside it. Files that are no lesson's copy are left
    alone.

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
    elif newest not in (known.release, known.beside) and (moved := with_answers(lesson, mine, release)):
        name = put_beside(copy, mine, "old")
        write_whole(copy, moved[0])
        known.release, known.content = newest, content(release)
        kept = f"your old copy is kept beside it as work/{lesson}/{name}"
        changes.moved.append(
            f"{lesson}: the lesson was renewed. Your answers are in the new one; {kept}. If you wrote notes, or "
            "changed texts or given code of the lesson, these are in the old copy only."
            if moved[1]
            else f"{lesson}: the lesson was renewed. Not all that you wrote could be told from the lesson's own "
            f"cells, so see what of it is in the new one; {kept}."
        )
    elif newest not in (known.release, known.beside):
        name = put_beside(copy, release, "new", known.beside)
        known.beside = newest
        changes.moved.append(
            f"{lesson}: the lesson was renewed, but your copy cannot be read as a notebook of it, so it stays as it "
            f"is. The new lesson lies beside it as work/{lesson}/{name}. To work in it, give your copy another name "
            f"and rename the new one to {lesson}.ipynb."
        )


# What intake says where something of a learner's is not in the notebook that it makes.
LOST = (
    NOT_TAKEN,
    "is missing from the notebook",
    "does not run",
    "was not read",
    "were not read",
    "is not read as an answer",
)


def with_answers(lesson: str, mine: bytes, release: bytes) -> tuple[bytes, bool] | None:
    """The released lesson with what the learner wrote into an earlier one; None where nothing of it can be told apart.

    Answers are found as grading finds them in what is handed in, also after cells were copied, split or moved. It comes
    with whether all was found: no answer is missing, say, or stands in the cell of a check.
    """
    text = release.decode("utf-8")
    try:
        taken = take_in(Submission(mine), Lesson(lesson, text, text))
        cells = {cell.id: cell for cell in nbformat.reads(text, as_version=4).cells}
    except (CourseError, AttributeError, KeyError):  # a release that no build of this course made
        return None
    if not taken.complete:
        return None
    for cell in taken.notebook.cells:
        if cell.id in cells:
            cell.metadata = cells[cell.id].metadata
    said = " ".join([*taken.flags, *taken.mends])
    return notebook_text(taken.notebook).encode(), not any(words in said for words in LOST)


def unchanged(mine: bytes, release: bytes, known: Copy) -> bool:
    """Whether a copy holds nothing of the learner's: it says what its old or the newest release says."""
    return content(mine) in (known.content, content(release))


def put_beside(copy: Path, data: bytes, word: str, ours: str | None = None) -> str:
    """Write ``data`` next to ``copy`` and return the file's name.

    The name is ``NN_slug.new.ipynb`` for the word "new"; a file of that name is replaced only when it is what we put
    there (its SHA-256 is ``ours``), else the next number is taken.
    """
    for number in itertools.count(1):
        name = f"{copy.stem}.{word}{'' if number == 1 else f'-{number}'}.ipynb"
        target = copy.with_name(name)
        if not target.exists() or sha256(target.read_bytes()) in (ours, sha256(data)):
            write_whole(target, data)
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


def sha256(data: bytes) -> str:
    """The SHA-256 of ``data`` in hex."""
    return hashlib.sha256(data).hexdigest()
