"""The journal: every result of a class. It is the truth; the gradebook and all pages can be made from it again.

A result is two files: the executed notebook, and ``.json`` with everything else. The second is written last and names
the first by its hash, so that a grader that dies between the two leaves no result, not a mixed one. A third,
``.recorded``, says what has been made of that result; it is small, for it changes when nothing was graded.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from .. import files
from ..grading.execute import Limits
from ..grading.report import Report
from ..notebooks import read_text
from ..paths import Course
from .submissions import Task


@dataclass
class Entry:
    """One graded submission. ``notebook_text`` is the executed notebook as its file has it."""

    key: str  # of what was graded by what, see `submissions.key_of`
    report: Report
    notebook_text: str
    seed: int = 0  # from which hidden checks drew their inputs
    cell_seconds: float = Limits.cell_seconds  # that a cell was given
    content: str = ""  # of the work alone, see `submissions.content_of`; "" where an older version kept none
    lacks: list[str] = field(default_factory=list)  # modules that the work asked for and this machine had not
    result: str = ""  # of all that the journal has of this result; "" before it is written

    @property
    def notebook(self) -> NotebookNode:
        """The executed notebook; a new copy each time."""
        return read_text(self.notebook_text)

    @property
    def answers(self) -> NotebookNode:
        """Of the executed notebook only the cells that a learner answers in, without outputs: a page needs no more.

        The whole takes thirty times as long to read.
        """
        cells = [cell for cell in json.loads(self.notebook_text)["cells"] if _is_answer(cell)]
        for cell in cells:
            cell.pop("outputs", None)
            cell["source"] = "".join(cell["source"])  # a file may have it as a list of lines
        answers: NotebookNode = nbformat.from_dict({"cells": cells})
        return answers


def _is_answer(cell: dict[str, Any]) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("solution"))


@dataclass
class Recorded:
    """What has been made of a result: each is a text that changes when it has to be made anew; empty: never made."""

    key: str = ""  # of the result
    work: str = ""  # what was graded, as Entry.content
    gradebook: str = ""
    feedback: str = ""
    in_book: bool = False  # the gradebook itself says what its rows were made of; a version before this did not note it


@dataclass(frozen=True)
class Journal:
    """Results by student and lesson."""

    folder: Path
    _known: dict[Task, Entry] = field(default_factory=dict, repr=False, compare=False)

    def _path(self, task: Task, suffix: str) -> Path:
        return self.folder / task.lesson / f"{task.student}{suffix}"

    def key(self, task: Task) -> str:
        """Of the last result; "" where there is none or it is damaged."""
        known = self._read(task)
        return known.key if known else ""

    def content(self, task: Task) -> str:
        """Of the work that was graded last; "" where that is not known."""
        known = self._read(task)
        return known.content if known else ""

    def result(self, task: Task) -> str:
        """What tells the last result from every other one, of the same key too; "" where there is none."""
        known = self._read(task)
        return known.result if known else ""

    def lacks(self, task: Task) -> list[str]:
        """Modules that the work asked for when it was graded last, and that this machine had not."""
        known = self._read(task)
        return known.lacks if known else []

    def cell_seconds(self, task: Task) -> float:
        """That a cell was given when it was graded last."""
        known = self._read(task)
        return known.cell_seconds if known else 0.0

    def report(self, task: Task) -> Report | None:
        """Of the last result; None where there is none or it is damaged."""
        known = self._read(task)
        return known.report if known else None

    def seed(self, task: Task) -> int:
        """A learner's own seed for a lesson; from it and their work hidden checks draw (:func:`.submissions.seed_of`).

        Who has no result yet gets one that nobody can guess: what one learner was told of a case does not help another.
        """
        known = self._read(task)
        return known.seed if known else secrets.randbits(32)

    def _read(self, task: Task) -> Entry | None:
        """The last result without its notebook's text."""
        if task not in self._known:
            try:
                text = self._path(task, ".json").read_bytes()
                data = json.loads(text)
                if data["notebook"] != _sha256(self._path(task, ".ipynb").read_bytes()):
                    return None
                limit, content = data.get("cell_seconds", Limits.cell_seconds), data.get("content", "")
                report = Report.from_dict(data["report"])
                lacks = [str(module) for module in data.get("lacks", [])]
                about = int(data["seed"]), float(limit), str(content), lacks, _sha256(text)
                self._known[task] = Entry(data["key"], report, "", *about)
            except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
                return None
        return self._known[task]

    def read(self, task: Task) -> Entry | None:
        """The last result, or None where there is none or it is damaged."""
        known = self._read(task)
        if known is None:
            return None
        return replace(known, notebook_text=self._path(task, ".ipynb").read_text(encoding="utf-8"))

    def write(self, task: Task, entry: Entry) -> None:
        """Replace the result; nothing has been made of the new one, also where its key is that of the old one.

        Raises:
            OSError: it cannot be written; then the result before it counts, or none.
        """
        notebook = entry.notebook_text.encode("utf-8", "replace")
        data = {"key": entry.key, "seed": entry.seed, "notebook": _sha256(notebook), "report": entry.report.to_dict()}
        data |= {"cell_seconds": entry.cell_seconds, "content": entry.content, "lacks": entry.lacks}
        text = json.dumps(data)  # ASCII: also what no UTF-8 file can hold
        self._known.pop(task, None)
        files.write_whole(self._path(task, ".ipynb"), notebook)
        recorded, noted = self._path(task, ".recorded"), self._noted(task)
        if noted.work:  # only which work the gradebook has
            left = Recorded(work=noted.work, in_book=noted.in_book)
            files.write_whole(recorded, json.dumps(asdict(left)).encode("utf-8") + b"\n")
        else:
            recorded.unlink(missing_ok=True)
        files.write_whole(self._path(task, ".json"), text.encode("utf-8") + b"\n")

    def written(self, task: Task) -> float:
        """When the last result was written, in seconds since 1970; 0 where there is none."""
        path = self._path(task, ".json")
        return path.stat().st_mtime if path.is_file() else 0.0

    def recorded(self, task: Task) -> Recorded:
        """What has been made of the last result; nothing where another result has been."""
        known = self._noted(task)
        return known if known.key == self.key(task) else Recorded()

    def is_of_work_recorded(self, task: Task) -> bool:
        """Whether the last result is of the same work as what was recorded last, be it an earlier result."""
        return bool(self.content(task)) and self.content(task) == self._noted(task).work

    def is_noted_in_book(self, task: Task) -> bool:
        """Whether what was recorded last is noted in the gradebook, too."""
        return self._noted(task).in_book

    def _noted(self, task: Task) -> Recorded:
        try:
            return Recorded(**json.loads(self._path(task, ".recorded").read_bytes()))
        except (OSError, ValueError, TypeError, RecursionError):
            return Recorded()

    def note(self, task: Task, recorded: Recorded) -> None:
        """Say what has been made of the last result, after it has been made.

        Raises:
            OSError: it cannot be written; then it will be made once more.
        """
        recorded.key, recorded.work = self.key(task), self.content(task)
        files.write_whole(self._path(task, ".recorded"), json.dumps(asdict(recorded)).encode("utf-8") + b"\n")

    def forget_page(self, task: Task) -> None:
        """Say that the page which was made of the last result is not there any more, where one was noted."""
        known = self.recorded(task)
        if known.feedback:
            self.note(task, replace(known, feedback=""))

    def sweep(self) -> None:
        """Remove what a grader left that was killed while it wrote. Only for the one who holds the class."""
        files.sweep(self.folder)


def journal_of(course: Course) -> Journal:
    return Journal(course.classroom / "journal")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
