"""The result of grading one submission, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass
class CheckResult:
    """One check or written answer. ``points`` is None while it waits for a person."""

    name: str
    exercise: str
    kind: str  # "visible", "hidden" or "written"
    max_points: float
    points: float | None = 0
    passed: bool = False
    message: str = ""  # one or two sentences; the fields below hold the parts of a labelled message
    asked: str = ""
    got: str = ""
    expected: str = ""
    likely: str = ""
    reread: str = ""


@dataclass
class Report:
    """Everything that is known about one submission; plain data, also as JSON."""

    lesson: str
    checks: list[CheckResult] = field(default_factory=list)
    mends: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    readable: bool = True
    problem: str = ""  # why the run did not get to its end
    seconds: float = 0.0
    titles: dict[str, str] = field(default_factory=dict)  # {exercise: its heading}
    handed_in: bool = True

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
        checks = [check for check in self.checks if check.kind != "written"]
        return sum(check.points or 0 for check in checks), sum(check.max_points for check in checks)

    @property
    def waiting(self) -> float:
        """Points of written answers that a person has still to grade."""
        return sum(check.max_points for check in self.checks if check.points is None)

    @property
    def needs_person(self) -> bool:
        return bool(self.flags)

    def to_dict(self) -> dict:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict) -> Report:
        return cls(**{**data, "checks": [CheckResult(**check) for check in data["checks"]]})
