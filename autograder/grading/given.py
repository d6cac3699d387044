"""Functions that a lesson gives for its checks: what measures must be what the lesson says, not what an answer says.

Most checks ask a learner's function alone. Where they ask what a cluster did, a stub brings a function that measures
it, "Given, for the checks". It runs beside the learner's code, so this is no wall: whoever wants to deceive can. It
is put back where it was changed, and an answer that replaces what it uses is flagged for a person.
"""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

from .. import lint
from ..parsing import parse
from .matching import NOT_COMPILED

TOO_DEEP = (RecursionError, MemoryError)  # it may compile in the kernel all the same
GIVEN = "Given, for the checks"


def given_functions(stub: str) -> dict[str, ast.FunctionDef]:
    """``{name: definition}`` of the functions that a stub gives for the checks."""
    functions = [node for node in parse(stub).body if isinstance(node, ast.FunctionDef)] if GIVEN in stub else []
    return {f.name: f for f in functions if (ast.get_docstring(f) or "").startswith(GIVEN)}


def put_back(answer: str, stub: str) -> tuple[str, list[str]]:
    """The answer with what its stub gives for the checks, and the names of what had been changed or was missing."""
    given = given_functions(stub)
    try:
        changed = _changed(answer, given) if given else []
    except TOO_DEEP:
        changed = list(given)
    except NOT_COMPILED:  # nothing of it runs
        changed = []
    texts = [ast.get_source_segment(stub, given[name]) for name in changed]
    return "\n\n".join([answer.rstrip(), *texts]) if changed else answer, changed


def _changed(answer: str, given: dict[str, ast.FunctionDef]) -> list[str]:
    rest = parse(answer)
    whole = {name: next((n for n in rest.body if ast.dump(n) == ast.dump(given[name])), None) for name in given}
    rest.body = [node for node in rest.body if node not in whole.values()]
    taken = bound(ast.unparse(rest))
    return [name for name in given if whole[name] is None or name in taken]


def bound(code: str) -> set[str]:
    """Names that a cell binds at its top level or as ``global``, or whose attributes or items it sets; none where it
    does not compile, and so does not run."""
    try:
        names = lint.defined_names(code)
        for node in ast.walk(parse(code)):
            if isinstance(node, ast.Global):
                names |= set(node.names)
            elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                while isinstance(node, ast.Attribute | ast.Subscript):
                    node = node.value
                names |= {node.id} if isinstance(node, ast.Name) else set()
        return names
    except TOO_DEEP:  # every word may be one
        return set(re.findall(r"\w+", code))
    except NOT_COMPILED:
        return set()


def replaced(notebook: NotebookNode, stubs: dict[str, str], learners: set[str]) -> dict[str, list[str]]:
    """``{exercise: names}`` of the lesson's functions and classes by which a given function measures, and which some
    cell of the learner replaces.

    Args:
        notebook: the clean notebook.
        stubs: ``{exercise: text}`` of the answers' cells as learners get them.
        learners: ids of the cells whose text is the learner's.
    """
    given = {key: functions for key, stub in stubs.items() if (functions := given_functions(stub))}
    if not given:
        return {}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    lessons: dict[str, set[str]] = {}  # {function or class: names that it uses}
    for cell in code:
        if cell.metadata.course.role in ("code", "include"):
            for node in parse(cell.source).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    lessons[node.name] = lint.free_names(ast.get_source_segment(cell.source, node))
    taken = set().union(*(bound(cell.source) for cell in code if cell.id in learners))
    found = {}
    for key, functions in given.items():
        reached, waiting = set(), set().union(*(lint.free_names(ast.unparse(f)) for f in functions.values()))
        while waiting:
            name = waiting.pop()
            if name in lessons and name not in reached:
                reached.add(name)
                waiting |= lessons[name]
        if reached & taken:
            found[key] = sorted(reached & taken)
    return found
