"""What a hidden check needs in order to draw its inputs and to compare with the reference, taken from the lesson.

A hidden check may use two names that it does not define: ``draw``, a ``random.Random`` seeded from the learner's seed
and the check's name, and ``reference``, whose attributes are the functions of its exercise's reference solution. The
solution travels to the checker alone, as text. In the instructor's own notebook one line, which the build writes
(:data:`IN_NOTEBOOK`), stands for both, so that it runs from top to bottom; grading takes that line out.
"""

from __future__ import annotations

import ast
import textwrap
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ...python_code import free_names, parse

NAMES = frozenset({"draw", "reference"})
IN_NOTEBOOK = (
    "draw, reference = __import__('random').Random(0), __import__('types').SimpleNamespace(**globals())"
    "  # here alone: the grader brings its own"
)
QUIET_START = ["try: import tensorflow as tf, numpy as np\nexcept ImportError: pass"]  # by a call, which is left out


def drawn_names(source: str) -> set[str]:
    """Those of the two names that a check reads and does not define; none where it does not compile."""
    try:
        return free_names(source) & NAMES
    except SyntaxError:
        return set()


def without_line(source: str) -> str:
    """A hidden check's text as the checker runs it."""
    return source.replace(IN_NOTEBOOK, "")


def material(cell: NotebookNode, solution: NotebookNode | None, seed: int) -> dict[str, Any]:
    """What :func:`.reference.given` needs for a check; empty for one that uses neither name.

    Args:
        cell: a check's cell.
        solution: the instructor's notebook.
        seed: the learner's.
    """
    course = cell.metadata.course
    if course.role != "hidden" or not drawn_names(without_line(cell.source)):
        return {}
    cells = brought_before(solution, course.get("exercise", "")) if solution else []
    name = cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)
    return {"seed": f"{seed} {name}", "cells": cells}


def brought_before(solution: NotebookNode, exercise: str) -> list[str]:
    """Texts that bring what an exercise's reference solution may use, and last the solution; empty without one.

    Of the lesson's own cells: imports, functions, classes and assignments that call nothing, each on its own, since
    one may need what was left out; of exercises before it, their reference solutions.
    """
    texts: list[str] = []
    for cell in solution.cells:
        role = cell.metadata.course.role
        if role == "solution" and cell.id == exercise:
            return [*texts, cell.source]
        if cell.id == "shared-quiet_start":
            texts += QUIET_START
        if role in ("code", "include", "solution") and cell.cell_type == "code":
            texts.append(_brought(cell.source))
    return []


@lru_cache(maxsize=512)
def _brought(source: str) -> str:
    try:
        body = parse(source).body
    except SyntaxError:  # a magic command
        return ""
    texts = [ast.unparse(node) for node in body if _brings(node)]
    return "\n".join(f"try:\n{textwrap.indent(text, '    ')}\nexcept Exception: pass" for text in texts)


def _brings(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return not any(isinstance(part, ast.Call | ast.Await) for part in ast.walk(node))
    return isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)


def in_kernel(cell: NotebookNode, solution: NotebookNode | None, seed: int) -> str:
    """A check's text for a kernel, where authors compare both places: it brings there what a checker would have."""
    needs = material(cell, solution, seed)
    code = Path(__file__).with_name("reference.py").read_text(encoding="utf-8")
    brings = f"draw, reference = (lambda s: exec({code!r}, s) or s['given'](**{needs!r}))({{}})"
    source: str = cell.source
    return source.replace(IN_NOTEBOOK, brings) if needs else source
