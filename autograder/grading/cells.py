"""What a cell of a notebook is for, and how its run ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from nbformat import NotebookNode

from ..python_code import imports_where_missing, names_of

CHECKS = ("check", "hidden")  # roles of cells that ask about answers, for points
LEFT_OUT, UNUSED = "skip", "unused"  # a cell that grading need not run; with the second, nobody reads its names
LEARNERS = ("solution", "written", "try", "predict")  # roles of cells whose text is the learner's to change


class Ended(StrEnum):
    """How the run of one cell ended."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    DIED = "died"  # the kernel, while the cell ran
    NOT_RUN = "not run"
    SKIPPED = "skipped"  # the lesson says that grading need not run it
    NO_VERDICT = "no verdict"  # of a check: its process has no answer; ``evalue`` is the reason as a sentence


class Origin(StrEnum):
    """Who raised an error. Its class does not tell: learners choose names."""

    UNKNOWN = ""
    LEARNER = "learner"  # the learner's code
    VALUE = "value"  # the checker, which cannot use what the learner's function returned
    CHECK = "check"  # the check's own code


@dataclass
class CellRun:
    """What one cell did: how it ended, and the class and the message of the error where there was one."""

    ended: Ended = Ended.NOT_RUN
    ename: str = ""
    evalue: str = ""
    seconds: float = 0.0
    origin: Origin = Origin.UNKNOWN  # of a check's error


def role(cell: NotebookNode) -> str:
    """What the build says that a cell is for (``authoring.source.ROLES``), or "prose", "code", "added"; else ""."""
    named: str = _about(cell).get("role", "")
    return named


def exercise(cell: NotebookNode) -> str:
    """The exercise that a cell belongs to; "" where it belongs to none."""
    named: str = _about(cell).get("exercise", "")
    return named


def has_learners_text(cell: NotebookNode) -> bool:
    """Whether a cell's text is the learner's to change, or all theirs."""
    return role(cell) in (*LEARNERS, "added")


def is_check(cell: NotebookNode) -> bool:
    """Whether a cell asks about answers, for points."""
    return role(cell) in CHECKS


def is_left_out(cell: NotebookNode) -> bool:
    """Whether grading need not run a cell: the lesson says so, or nothing that is graded depends on it."""
    return _about(cell).get("grading") in (LEFT_OUT, UNUSED)


def is_a_copy(cell: NotebookNode) -> bool:
    """Whether a learner put a cell there whose text is one of the lesson's own."""
    return bool(_about(cell).get("copied"))


def in_its_place(cell: NotebookNode) -> str:
    """What runs in the learner's kernel where a check, or a cell that grading leaves out, stands.

    Answers may have come to rely on what it brings. Shared cells bring nothing: they draw, and exercises do not.
    """
    if _about(cell).get("grading") == UNUSED:
        return ""
    if is_check(cell):
        return imports_where_missing(cell.source) if role(cell) == "check" else ""
    if role(cell) == "include":
        return ""
    brings = names_of.__wrapped__ if has_learners_text(cell) else names_of  # no text of a learner's is kept
    return brings(cell.source)


def _about(cell: NotebookNode) -> dict[str, Any]:
    about = cell.metadata.get("course")
    return about if isinstance(about, dict) else {}
