"""Given functions: what measures must be what the lesson says, not what a notebook says.

In a few exercises checks ask what processes did, through a function that the stub brings and that runs beside the
learner's code (:mod:`autograder.authoring.given`). It is defined anew whenever a check asks something. That is no
wall: what it measures *with* are the lesson's own functions and classes, which live among the learner's names. A
notebook that could have replaced one of these is shown to a person.
"""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

from ..python_code import MAX_CODE, NOT_COMPILED, defined_names, parse

# Ways to replace a name without writing it on the left of an assignment.
ROUNDABOUT = {
    *("exec", "eval", "globals", "locals", "vars", "setattr", "delattr", "__import__", "get_ipython", "runpy"),
    *("importlib", "gc", "ctypes", "builtins", "unittest", "mock", "modules", "__dict__", "__main__"),
    *("__globals__", "__code__", "__closure__", "__class__", "__builtins__", "_getframe", "f_globals", "f_back"),
}
# Lines that are for IPython and change no name.
HARMLESS = re.compile(r"^\s*%(matplotlib\b.*|%time(it)?\s*)$", re.MULTILINE)


def definitions(cell: NotebookNode) -> str:
    """Code that defines what the stub in a solution cell gives for its checks; "" where it gives nothing."""
    return "\n\n".join(_given(cell).values())


def _given(cell: NotebookNode) -> dict[str, str]:
    given: dict[str, str] = cell.metadata.get("course", {}).get("given", {})
    return given


def may_be_replaced(solution: NotebookNode, learners: list[NotebookNode]) -> list[str]:
    """Names that the checks of an exercise rest on and that a learner's cell may have replaced, sorted.

    Args:
        solution: the exercise's solution cell, whose metadata say what is given and what it measures with.
        learners: all code cells whose text is the learner's, that one among them.
    """
    given, tools = _given(solution), set(solution.metadata.get("course", {}).get("measured_with", []))
    taken: set[str] = set()
    for cell in learners if given else []:
        kept = given if cell.id == solution.id else {}
        taken |= _replaced(cell.source, {*given, *tools}, kept)
    return sorted(taken)


def _replaced(code: str, names: set[str], kept: dict[str, str]) -> set[str]:
    """Those of ``names`` that a cell binds, or may bind by a roundabout way; ``kept`` may stand in it as it is."""
    if len(code) > MAX_CODE:  # it runs, and nobody has read it
        return names
    try:
        tree = parse(HARMLESS.sub("", code))
        whole = {ast.dump(parse(text).body[0]) for text in kept.values()}
        tree.body = [node for node in tree.body if ast.dump(node) not in whole]
        return names if _is_roundabout(tree) else bound(ast.unparse(tree)) & names
    except NOT_COMPILED:  # IPython may run what Python does not: magics, commands of the shell
        magic = re.search(r"^\s*[%!]|[=(]\s*[%!]|\?\s*$", code, re.MULTILINE)
        return names if magic else names & set(re.findall(r"\w+", code))


def _is_roundabout(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in ROUNDABOUT:
                return True
            case ast.Attribute(attr=name) if name in ROUNDABOUT:
                return True
            case ast.Import(names=found) | ast.ImportFrom(names=found):
                modules = {getattr(node, "module", None) or "", *(alias.name for alias in found)}
                if "*" in modules or ROUNDABOUT & {part for module in modules for part in module.split(".")}:
                    return True
    return False


def bound(code: str) -> set[str]:
    """Names that code binds at its top level or as ``global``, or whose attributes or items it sets.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it does not compile.
    """
    names = defined_names(code)
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.Global):
            names |= set(node.names)
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            inner: ast.expr = node
            while isinstance(inner, ast.Attribute | ast.Subscript):
                inner = inner.value
            names |= {inner.id} if isinstance(inner, ast.Name) else set()
    return names
