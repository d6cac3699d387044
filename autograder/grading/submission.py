"""What was handed in, before anybody has looked into it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Submission:
    """The bytes of the file that was handed in for a lesson, and what was odd about the file itself."""

    raw: bytes | None  # None: there is none that could be read
    mends: list[str] = field(default_factory=list)  # what was wrong and was put right, as sentences
    flags: list[str] = field(default_factory=list)  # what a person has to look at
    missing: bool = False  # there is no file at all
    beside: list[str] = field(default_factory=list)  # other notebooks that lie beside it and were not read, quoted
