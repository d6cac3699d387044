"""Reading Python without running it."""

from __future__ import annotations

import ast
import threading

_ONE_AT_A_TIME = threading.Lock()


def parse(code: str) -> ast.Module:
    """``ast.parse``, for one thread at a time: in CPython 3.11 threads share its count of how deep a tree is, and two
    at once may end in ``SystemError: AST constructor recursion depth mismatch``.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse``.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(code)
