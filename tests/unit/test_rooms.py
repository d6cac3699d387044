"""The house: which room of the package may use which, so that the tree alone says where a thing belongs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.grading.lesson import grader_version
from tests.conftest import ROOT

PACKAGE = ROOT / "autograder"
# Rooms in the order in which things are used: each may import from itself, from those before it, and what all use.
MAY_USE = {
    "grading": (),
    "reports": ("grading",),
    "authoring": ("grading", "reports"),
    "learning": ("grading", "reports"),
    "classroom": ("grading", "reports", "authoring"),
    "teaching": ("grading", "reports", "learning", "classroom"),
}
# Inside grading, a stage imports none that comes after it.
STAGES = ["reading", "matching", "given", "intake", "execute", "verdict", "grade"]
IN_A_BOX = PACKAGE / "grading" / "sandbox" / "inside"  # sees nothing of the rest, but for the checker beside it


def imports(path: Path) -> set[str]:
    """Names of the package's modules that a file imports, without ``autograder.``, e.g. ``grading.intake``."""
    here = ["autograder", *path.relative_to(PACKAGE).with_suffix("").parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = [*base, *(node.module or "").split(".")] if node.module else base
            if module and module[0] == "autograder":
                found |= {".".join([*module[1:], alias.name]) for alias in node.names}
    return found


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] in MAY_USE]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_uses_only_rooms_before_it(path):
    room = path.relative_to(PACKAGE).parts[0]
    used = {name.split(".")[0] for name in imports(path)} & MAY_USE.keys() - {room}
    assert used <= set(MAY_USE[room]), f"{path.relative_to(ROOT)} uses {sorted(used)}"


@pytest.mark.parametrize("stage", STAGES)
def test_no_stage_uses_a_later_one(stage):
    used = {name.split(".")[1] for name in imports(PACKAGE / "grading" / f"{stage}.py") if name.startswith("grading.")}
    assert not used & set(STAGES[STAGES.index(stage) + 1 :])


def test_what_runs_in_a_box_uses_nothing_of_the_rest_but_the_checker():
    for path in IN_A_BOX.glob("*.py"):
        others = {name for name in imports(path) if not name.startswith("grading.sandbox.inside")}
        assert others <= {"grading.checks.checker", "grading.checks.codec"}, path.name


def test_every_room_is_one_of_these():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms == MAY_USE.keys()


def test_the_graders_version_is_of_all_that_judges(monkeypatch):
    """It is what says whether a result still holds; what grading may use, says the first test above."""

    def read_and_noted(path):
        read.add(path)
        return read_bytes(path)

    read, read_bytes = set(), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", read_and_noted)
    grader_version.__wrapped__()
    judges = {path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] == "grading"}
    assert len(judges) > 40 and judges | set(PACKAGE.glob("*.py")) <= read
