"""Functions that a stub gives for its checks: the build writes into the notebook what they are and what they use.

Most checks ask a learner's function alone. Where they ask what processes did, the stub brings a function that measures
it, whose docstring begins with "Given, for the checks".
"""

from __future__ import annotations

import ast
import builtins

from ..grading.given import GIVEN
from ..python_code import defined_names, names_from_elsewhere, parse

LOOPS = (ast.For, ast.While)  # nothing is measured with what they bring, and learners use such names too


def given_functions(stub: str) -> dict[str, str]:
    """``{name: definition}`` of the functions that a stub gives for its checks."""
    functions = [node for node in parse(stub).body if isinstance(node, ast.FunctionDef)] if GIVEN in stub else []
    given = [function for function in functions if (ast.get_docstring(function) or "").startswith(GIVEN)]
    return {function.name: ast.get_source_segment(stub, function) or "" for function in given}


def measured_with(given: dict[str, str], lesson: list[str]) -> list[str]:
    """Names of the functions, classes, variables and modules by which given functions measure, also through each other.

    And of the builtins among them, whose names a notebook may give to something else.

    Args:
        given: as :func:`given_functions` has them.
        lesson: the texts of the lesson's own code cells, which define what is measured with.
    """
    uses: dict[str, set[str]] = {}  # {function, class, variable or module: names that it uses}
    for text in lesson:
        if text.startswith("%%"):  # a cell magic such as %%writefile: it defines nothing in the notebook
            continue
        for node in parse(text).body:
            if not isinstance(node, LOOPS):
                part = ast.unparse(node)
                for name in defined_names(part):
                    uses.setdefault(name, set()).update(names_from_elsewhere(part))
    reached: set[str] = set()
    waiting = set().union(*map(names_from_elsewhere, given.values()))
    while waiting:
        name = waiting.pop()
        if name not in reached and (name in uses or hasattr(builtins, name)):
            reached.add(name)
            waiting |= uses.get(name, set())
    return sorted(reached)
