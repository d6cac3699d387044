"""What a learner gets back from a class: the report with what a person has added to it."""

from __future__ import annotations

import copy
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from nbformat import NotebookNode

from ..grading.report import CheckResult, Report, Status
from .page import OF_EARLIER_WORK, page


@lru_cache(maxsize=1)
def pages_version() -> str:
    """Of everything in this room: pages that were made by another version are made anew."""
    parts = sorted(path for path in Path(__file__).parent.iterdir() if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in parts)).hexdigest()


class Added(Protocol):
    """What a person may have added, by the names of checks and answers (``classroom.gradebook.Marks``)."""

    scores: dict[str, float]
    by_hand: list[str]
    comments: dict[str, str]
    penalty: float
    again: list[str]  # of those by hand


def feedback_page(report: Report, notebook: NotebookNode, added: Added, student: str, odd_time: str = "") -> str:
    """The page for one student and lesson, as HTML without hidden checks, with the points that a person set.

    ``odd_time`` says why the time of handing in is not to be believed without a look; it is no part of the report,
    since it may change when nothing was handed in again.
    """
    report = copy.deepcopy(report)  # the journal's own: tables are made from it after this
    report.flags = [*report.flags, *([odd_time] if odd_time else [])]
    for check in report.checks:
        if check.name in added.by_hand:
            _set_by_hand(check, added.scores[check.name], check.name in added.again)
    answers = [
        {"name": cell.id, "text": cell.source, "comment": added.comments.get(cell.id, "")}
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    ]
    return page(report, f"{report.lesson}: {student}", answers, graded=True, penalty=added.penalty)


def _set_by_hand(check: CheckResult, points: float, again: bool) -> None:
    if check.written:
        check.status, check.detail = Status.GRADED, OF_EARLIER_WORK if again else ""
    check.by_hand = check.written or check.points != points
    check.points = points
