"""Given functions: what measures must be what the lesson says, not what a notebook says.

In a few exercises checks ask what processes did, through a function that the stub brings and that runs beside the
learner's code (:mod:`autograder.authoring.given`). It is defined anew whenever a check asks something. That is no
wall: what it measures *with* are the lesson's own functions, classes and variables, which live among the learner's
names. A notebook that could have replaced one of these, as far as :mod:`.harmless` can tell, is shown to a person.
"""

from __future__ import annotations

import builtins
from functools import cached_property
from itertools import chain

from nbformat import NotebookNode

from .cells import has_learners_text
from .harmless import A_MODULE, LOOKS, MOST_STEPS, Read, modules_in, read, touched

GIVEN = "Given, for the checks"  # how the docstrings of all begin


def definitions(cell: NotebookNode) -> str:
    """Code that defines what the stub in a solution cell gives for its checks; "" where it gives nothing."""
    return "\n\n".join(_given(cell).values())


def _given(cell: NotebookNode) -> dict[str, str]:
    given: dict[str, str] = cell.metadata.get("course", {}).get("given", {})
    return given


class Learners:
    """The cells of a notebook whose text is the learner's, read once, and only if an exercise asks.

    What the ``lesson``'s own cells give may stand in each of them, word for word.
    """

    def __init__(self, cells: list[NotebookNode], lesson: list[NotebookNode]) -> None:
        self.cells = cells
        self.given = {name: text for cell in lesson for name, text in _given(cell).items()}
        self.lesson = lesson
        self._known: dict[int, frozenset[str] | None] = {}

    def may_have_replaced(self, solution: NotebookNode, above: int | None = None) -> list[str]:
        """Names that the checks of an exercise rest on and that one of the cells may have replaced, sorted.

        Args:
            solution: the exercise's solution cell, whose metadata say what is given and what it measures with.
            above: how many of the cells run before the exercise's last check, which no other can reach; None for all.
        """
        given = _given(solution)
        if not given:
            return []
        names = {*given, *solution.metadata.get("course", {}).get("measured_with", [])}
        replaced = self._replaced(len(self.cells) if above is None else above)
        return sorted(names if replaced is None else names & replaced)

    def _replaced(self, above: int) -> frozenset[str] | None:
        """All names that so many cells may have replaced; None where these may be any."""
        if above not in self._known:
            self._known[above] = self._of(above)
        return self._known[above]

    def _of(self, above: int) -> frozenset[str] | None:
        cells = self._read[:above]
        if len(cells) < above or any(cell.unread for cell in cells):
            return None
        changed = touched(cells, self._modules)
        names = {name for name in changed if not hasattr(builtins, name)}  # whose objects nobody can change
        return None if A_MODULE in changed else frozenset(names).union(*(cell.binds for cell in cells))

    @cached_property
    def _modules(self) -> frozenset[str]:
        """Names by which the lesson's own cells have modules."""
        own = (cell.source for cell in self.lesson if not has_learners_text(cell))
        return frozenset(chain(*map(modules_in, own)))

    @cached_property
    def _read(self) -> list[Read]:
        """The cells, as far as there is time to read them."""
        cells: list[Read] = []
        steps = 0
        for cell in self.cells:
            cells.append(read(cell.source, self.given))
            steps += cells[-1].steps
            if steps > MOST_STEPS:
                cells.pop()
                break
        if others := LOOKS.intersection(chain(*(cell.binds for cell in cells))):  # `def display(x): …`
            return [read(cell.source, self.given, others) for cell in self.cells[: len(cells)]]
        return cells
