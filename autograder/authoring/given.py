"""Functions that a stub gives for its checks: the build writes into the notebook what they are and what they use.

Most checks ask a learner's function alone. Where they ask what processes did, the stub brings a function that measures
it, whose docstring begins with "Given, for the checks".
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import InitVar, dataclass, field

from ..grading.given import GIVEN
from ..grading.harmless import CHANGES, NOT_FILLED
from ..python_code import defined_names, names_from_elsewhere, parse, root_of

LOOPS = (ast.For, ast.While)  # nothing is measured with what they bring, and learners use such names too


def given_functions(stub: str) -> dict[str, str]:
    """``{name: definition}`` of the functions that a stub gives for its checks."""
    functions = [node for node in parse(stub).body if isinstance(node, ast.FunctionDef)] if GIVEN in stub else []
    given = [function for function in functions if (ast.get_docstring(function) or "").startswith(GIVEN)]
    return {function.name: ast.get_source_segment(stub, function) or "" for function in given}


@dataclass
class Lesson:
    """What the lesson's own code cells define, and with which names.

    Args:
        texts: the cells' texts.
    """

    texts: InitVar[list[str]]
    uses: dict[str, set[str]] = field(default_factory=dict)  # {function, class, variable or module: names it uses}
    notes: dict[str, set[str]] = field(default_factory=dict)  # {function or class: names whose objects it changes}
    variables: set[str] = field(default_factory=set)

    def __post_init__(self, texts: list[str]) -> None:
        for text in texts:
            if text.startswith("%%"):  # a cell magic such as %%writefile: it defines nothing in the notebook
                continue
            for node in parse(text).body:
                if not isinstance(node, LOOPS):
                    self._read(node)

    def _read(self, node: ast.stmt) -> None:
        part = ast.unparse(node)
        used = names_from_elsewhere(part)
        for name in defined_names(part):
            self.uses.setdefault(name, set()).update(used)
            if isinstance(node, ast.Assign | ast.AnnAssign) and name not in NOT_FILLED:
                self.variables.add(name)
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.notes.setdefault(name, set()).update(_changed(node) & used, _globals(node))


def measured_with(given: dict[str, str], lesson: Lesson) -> list[str]:
    """Names of the functions, classes, variables and modules by which given functions measure, also through each other.

    And of the builtins among them, whose names a notebook may give to something else.

    Args:
        given: as :func:`given_functions` has them.
    """
    reached: set[str] = set()
    waiting = set().union(*map(names_from_elsewhere, given.values()))
    while waiting:
        name = waiting.pop()
        if name not in reached and (name in lesson.uses or hasattr(builtins, name)):
            reached.add(name)
            waiting |= lesson.uses.get(name, set())
    return sorted(reached)


def noted_by(measured: list[str], lesson: Lesson) -> list[str]:
    """Names of the functions that write down what is measured (``calls.append(1)``), and of those that call them.

    The learner's code is to call them, or to hand them on.

    Args:
        measured: as :func:`measured_with` has them.
    """
    kept = lesson.variables.intersection(measured)
    functions = {name for name, changed in lesson.notes.items() if changed & kept}
    while callers := {name for name in lesson.notes if name not in functions and lesson.uses[name] & functions}:
        functions |= callers
    return sorted(functions.difference(measured))


def _changed(function: ast.stmt) -> set[str]:
    """Names of whose objects a function changes something: by a method, an item or an attribute."""
    changed: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            changed.add(root_of(node.func.value))
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed.add(root_of(node.value))
    return changed


def _globals(function: ast.stmt) -> set[str]:
    return {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
