"""The result of grading one submission, as plain data.

A check's outcome is its ``status``: everything that decides looks at that. Words for people are made here too, in one
place, when somebody asks for ``message``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """How one check or written answer came out."""

    PASSED = "passed"
    FAILED = "failed"  # the check looked at the answer and was not content
    RAISED = "raised"  # the learner's code, or what it gave, ended in an error
    NOT_WRITTEN = "not written"
    STOPPED = "stopped"  # it took too long
    DIED = "died"  # the kernel, meanwhile
    NOT_RUN = "not run"
    NO_VERDICT = "no verdict"  # the check could not be asked, or gave no answer
    NOT_READ = "not read"  # nothing of the submission could be read
    WAITS = "waits"  # a written answer, for a person
    GRADED = "graded"  # a written answer, by a person


WORDS = {  # {status: the sentence, with the check's own detail at {}}
    Status.NOT_WRITTEN: "Not written yet.",
    Status.STOPPED: "The check was stopped: {}. Does your code wait, or loop, without end?",
    Status.DIED: "The kernel died while this check ran. Did your code run out of memory, or exit?",
    Status.NOT_RUN: "This check was not run. {}",
    Status.NOT_READ: "Not graded: {}",
    Status.WAITS: "Written; it waits for a person to grade it.",
    Status.GRADED: "Graded by a person.",
}


@dataclass
class CheckResult:
    """One check or written answer.

    ``points`` is None while it waits for a person; ``detail`` is what the status alone does not say; the fields after
    it are the parts of a labelled message.
    """

    name: str
    exercise: str
    kind: str  # "visible", "hidden" or "written"
    max_points: float
    points: float | None = 0
    status: Status = Status.NOT_RUN
    detail: str = ""
    asked: str = ""
    got: str = ""
    expected: str = ""
    likely: str = ""
    reread: str = ""
    title: str = ""  # what it asks, as learners read it
    by_hand: bool = False  # a person set the points: so the gradebook says, grading itself never does

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def heading(self) -> str:
        """What it is called in front of people."""
        name = self.title or self.name
        return f"{name} (hidden)" if self.kind == "hidden" else name

    @property
    def written(self) -> bool:
        """Whether a person grades it."""
        return self.kind == "written"

    @property
    def message(self) -> str:
        """One or two sentences for people; nothing may be decided by them."""
        if self.written and self.status is Status.NOT_WRITTEN:
            return "Nothing was written here."
        if self.status is Status.FAILED:
            return self.likely or self.detail or "The check failed and gave no reason."
        return WORDS.get(self.status, "{}").format(self.detail)


@dataclass
class Report:
    """Everything that is known about one submission; plain data, also as JSON."""

    lesson: str
    checks: list[CheckResult] = field(default_factory=list)
    mends: list[str] = field(default_factory=list)  # what was wrong with the file and was put right
    flags: list[str] = field(default_factory=list)  # what a person has to look at
    notes: list[str] = field(default_factory=list)  # what is normal but good to know
    readable: bool = True
    handed_in: bool = True  # False: there was no file
    problem: str = ""  # why the run did not get to its end
    seconds: float = 0.0
    titles: dict[str, str] = field(default_factory=dict)  # {exercise: its heading}

    @property
    def score(self) -> float:
        """Points that are certain: of checks, and of written answers that a person has graded."""
        return sum(check.points or 0 for check in self.checks)

    @property
    def max_score(self) -> float:
        return sum(check.max_points for check in self.checks)

    @property
    def automatic(self) -> tuple[float, float]:
        """Points earned in checks, and how many there are."""
        checks = [check for check in self.checks if not check.written]
        return sum(check.points or 0 for check in checks), sum(check.max_points for check in checks)

    @property
    def waiting(self) -> float:
        """Points of written answers that a person has still to grade."""
        return sum(check.max_points for check in self.checks if check.points is None)

    @property
    def needs_person(self) -> bool:
        return bool(self.flags)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, to be read only; :meth:`from_dict` makes the same report of it."""
        return vars(self) | {"checks": [dict(vars(check)) for check in self.checks]}  # asdict takes ten times as long

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Report:
        """A report that the journal has stored.

        Raises:
            KeyError, TypeError, ValueError: it is none, or of another version of the grader.
        """
        checks = [CheckResult(**{**check, "status": Status(check["status"])}) for check in data["checks"]]
        return cls(**{**data, "checks": checks})
