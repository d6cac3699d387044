"""What the checker brings to a hidden check: ``draw``, seeded for one learner, and ``reference``, the right answers.

Standard library alone: where checks run in a kernel (:mod:`.drawn`), this file is sent there as text.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

Carry = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


class BrokenReference(Exception):
    """The lesson's own solution could not be run: the lesson's fault; the message says what happened."""


class Reference:
    """The functions of an exercise's reference solution as attributes; its code runs when one is first called.

    Args:
        cells: texts in the lesson's order: what its own cells bring, and last the solution.
        carry: calls a function with (args, kwargs), so that values come and go as a learner's do.
    """

    def __init__(self, cells: list[str], carry: Carry) -> None:
        self._cells, self._carry = cells, carry
        self._space: dict[str, Any] | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)  # Python's own look-ups, such as copying, expect this
        return lambda *args, **kwargs: self._carry(self._function(name), args, kwargs)

    def _function(self, name: str) -> Any:
        if name not in (space := self._run()):
            raise BrokenReference(f"its reference solution has no function {name!r}")
        return space[name]

    def _run(self) -> dict[str, Any]:
        if self._space is None:
            space: dict[str, Any] = {"__name__": "reference"}
            for text in self._cells:
                try:
                    exec(compile(text, "<reference>", "exec", dont_inherit=True), space)
                except Exception as error:
                    raise BrokenReference(
                        f"its reference solution stopped with {type(error).__name__}: {error}"
                    ) from None
            self._space = space
        return self._space


def given(seed: str, cells: list[str], carry: Carry | None = None) -> tuple[random.Random, Reference]:
    """``(draw, reference)`` for one check."""
    return random.Random(seed), Reference(cells, carry or _directly)


def _directly(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*copy.deepcopy(args), **copy.deepcopy(kwargs))
