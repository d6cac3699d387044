"""Functions that a lesson gives for its checks: what measures must be what the lesson says, not what an answer says.

Most checks ask a learner's function alone. Where they ask what a cluster did, a stub brings a function that measures
it, "Given, for the checks". It runs beside the learner's code, so this is no wall: whoever wants to deceive can. It
is put back where it was changed, and an answer that replaces what it uses is flagged for a person.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from ..python_code import defined_names, free_names, parse
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
        names = defined_names(code)
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


@lru_cache(maxsize=64)
def measured_with(stub: str, lesson: tuple[str, ...]) -> frozenset[str]:
    """Names of the functions and classes of a lesson's own cells, here their texts, by which a stub's given functions
    measure, directly or through each other."""
    given = given_functions(stub)
    if not given:
        return frozenset()
    uses: dict[str, set[str]] = {}  # {function or class: names that it uses}
    for text in lesson:
        for node in parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                uses[node.name] = free_names(ast.get_source_segment(text, node))
    reached, waiting = set(), set().union(*(free_names(ast.unparse(f)) for f in given.values()))
    while waiting:
        name = waiting.pop()
        if name in uses and name not in reached:
            reached.add(name)
            waiting |= uses[name]
    return frozenset(reached)
