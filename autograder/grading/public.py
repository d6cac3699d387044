"""The public names of the modules that a learner's cell may use, as ``public_names.json`` has them.

What is none of these, nor of the lesson's or the learner's own, nobody has vouched for. The file is written by
:mod:`autograder.authoring.public_names`.
"""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("public_names.json")
PARTS = ("modules", "values", "hidden")
Names = frozenset[str]


@dataclass(frozen=True)
class Package:
    """What one package shows, in all its public modules."""

    modules: Names  # of its modules in it
    values: Names  # of all else
    hidden: Names  # modules of the package's own that have the name of a value elsewhere in it


@dataclass(frozen=True)
class Public:
    """What all of them show."""

    packages: dict[str, Package]
    attributes: Names  # of objects


def written(public: Public) -> str:
    """The text of the file: lists of lines of names, so that what changed can be read."""
    packages = {
        name: {part: _lines(getattr(package, part)) for part in PARTS}
        for name, package in sorted(public.packages.items())
    }
    return json.dumps({"packages": packages, "attributes": _lines(public.attributes)}, indent=1) + "\n"


def _lines(names: Names) -> list[str]:
    return textwrap.wrap(" ".join(sorted(names)), width=120, break_long_words=False, break_on_hyphens=False)


def _names(lines: list[str]) -> Names:
    return frozenset(" ".join(lines).split())


@cache
def public_names() -> Public:
    """The names of the file."""
    said = json.loads(FILE.read_text(encoding="utf-8"))
    packages = {name: Package(*(_names(package[part]) for part in PARTS)) for name, package in said["packages"].items()}
    return Public(packages, _names(said["attributes"]))
