"""Shared cells: modules of ``solutions/_shared`` that lessons include, as a notebook has them.

A notebook is complete in itself, so the build puts their text into it: one cell for each ``include=``, with everything
that the named files import from other shared files in front of them.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from ..errors import CourseError
from ..paths import Course
from ..python_code import parse

# Shared cells import one another like this, for editors and linters; in a notebook, those texts come before.
SHARED_PACKAGE = "solutions._shared"
# What graders use, too, and a notebook has as text: ``from autograder.grading.checks.told import Told``.
GRADERS_PACKAGE = "autograder.grading.checks"
GRADERS_OWN = ("told", "card")

TITLE = re.compile(r"# ?@title (?P<words>[^\n]*)\n?")  # of a shared file; formatters write it with a space
HELPERS = "#@title Helpers (run this too; open it when you want to know how a picture or a check is made)"


def modules_with(course: Course, names: list[str], where: str) -> list[str]:
    """``names`` and the shared modules that they import, each after those that it needs.

    Args:
        course: whose shared cells.
        names: module names without ``.py``.
        where: the including cell, for messages.

    Raises:
        CourseError: a file that is not there, or whose imports the build could not leave out.
    """
    ordered: list[str] = []

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise CourseError(f"{where}: {' uses '.join([*above, name])}: shared cells must not use each other.")
        if name in ordered:
            return
        for node in sibling_imports(text_of(course, name, where), name):
            add(_module(node), (*above, name))
        ordered.append(name)

    for name in names:
        add(name, ())
    return ordered


def text_of(course: Course, name: str, where: str) -> str:
    """The text of a shared module.

    Raises:
        CourseError: there is no such file.
    """
    path = course.shared / f"{name}.py"
    if not path.is_file() and name in GRADERS_OWN:
        path = Path(__file__).parents[1] / "grading" / "checks" / f"{name}.py"
    if not path.is_file():
        raise CourseError(f"{where}: there is no shared cell solutions/_shared/{name}.py.")
    return path.read_text(encoding="utf-8").strip("\n")


def own_names(text: str) -> set[str]:
    """Functions, classes and values that a shared module defines at its top level; what it imports is not its own."""
    found: set[str] = set()
    for node in parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def cell_of(course: Course, modules: list[str], values: dict[str, Any], where: str) -> str:
    """The text of a cell that holds ``modules``, with its parameters filled in.

    A line of a shared file that ends in ``# include: name`` is a parameter: its value is replaced by ``values[name]``,
    if there is one.

    Raises:
        CourseError: a value that no line asks for.
    """
    if len(modules) == 1:
        text = without_siblings(text_of(course, modules[0], where), modules[0])
        text = TITLE.sub(r"#@title \g<words>\n", text, count=1)
    else:
        parts = [without_siblings(text_of(course, name, where), name) for name in modules]
        titled = zip(modules, parts, strict=True)
        text = "\n\n\n".join([HELPERS, *(f"# {name}.py\n{TITLE.sub('', part, count=1)}" for name, part in titled)])
    for name, value in values.items():
        literal = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else repr(value)
        line = re.search(rf"^\w+ = (?P<value>.*?)  # include: {re.escape(name)}$", text, re.MULTILINE)
        if not line:
            raise CourseError(f"{where}: {', '.join(modules)} has no line that ends in `# include: {name}`.")
        text = text[: line.start("value")] + literal + text[line.end() :]
    return re.sub(r"  # include: \w+$", "", text, flags=re.MULTILINE)


def asks_for(course: Course, modules: list[str], name: str) -> bool:
    """Whether a file of ``modules`` has a line for the parameter ``name``."""
    return any(f"# include: {name}" in text_of(course, module, "") for module in modules)


def sibling_imports(text: str, name: str) -> list[ast.ImportFrom]:
    """The imports of other shared cells in ``text``, a shared file called ``name``.

    Raises:
        CourseError: the file is no Python, or imports them in a way that the build could not leave out.
    """
    try:
        tree = parse(text)
    except SyntaxError as error:
        raise CourseError(f"solutions/_shared/{name}.py:{error.lineno}: {error.msg}.") from error
    found = [node for node in tree.body if isinstance(node, ast.ImportFrom) and _is_sibling(node)]
    said = text.count(SHARED_PACKAGE) + len(re.findall(rf"\b(?:from|import) {re.escape(GRADERS_PACKAGE)}", text))
    if said != len(found) or any(alias.asname for node in found for alias in node.names):
        raise CourseError(
            f"solutions/_shared/{name}.py: other shared cells are imported by lines of their own, at the top level and "
            f"without `as`: `from {SHARED_PACKAGE}.timeline import draw_timeline`."
        )
    return found


def _is_sibling(node: ast.ImportFrom) -> bool:
    package, _, name = (node.module or "").rpartition(".")
    return package == SHARED_PACKAGE or (package == GRADERS_PACKAGE and name in GRADERS_OWN)


def _module(node: ast.ImportFrom) -> str:
    return str(node.module).rpartition(".")[2]


def without_siblings(text: str, name: str) -> str:
    """A shared file's text without its imports of other shared cells, as a notebook has it."""
    lines = text.splitlines(keepends=True)
    for node in reversed(sibling_imports(text, name)):
        del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines)
