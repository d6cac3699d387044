"""Given functions: what measures must be what the lesson says, not what a notebook says.

In a few exercises checks ask what processes did, through a function that the stub brings and that runs beside the
learner's code (:mod:`autograder.authoring.given`). It is defined anew whenever a check asks something. That is no
wall: what it measures *with* are the lesson's own functions, classes and variables, which live among the learner's
names. A notebook that could have replaced one of these, as far as :mod:`.harmless` can tell, is shown to a person.
"""

from __future__ import annotations

import builtins
from functools import cached_property

from nbformat import NotebookNode

from .cells import has_learners_text
from .harmless import A_MODULE, MOST_STEPS, Cell, Read, python_of, read, touched
from .vouched import Known, survey_of

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
        self._by_place: dict[int, frozenset[str] | None] = {}

    def may_have_replaced(self, solution: NotebookNode, above: int | None = None) -> list[str]:
        """Names that the checks of an exercise rest on and that one of the cells may have replaced, sorted.

        Args:
            solution: the exercise's solution cell, whose metadata say what is given and what it measures with.
            above: how many of the cells run before the exercise's last check, which no other can reach; None for all.
        """
        given = _given(solution)
        if not given:
            return []
        about = solution.metadata.get("course", {})
        names, called = {*given, *about.get("measured_with", [])}, set(about.get("noted_by", []))
        replaced = self._replaced(len(self.cells) if above is None else above)
        if replaced is None:
            return sorted(names)
        bound = frozenset[str]().union(*(cell.binds for cell in self._read[:above]))  # they may be handed on
        return sorted(names & replaced | called & bound)

    def unknown(self, above: int | None = None) -> list[str]:
        """Names that so many cells use and that are public nowhere, nor the lesson's or their own: one of each cell."""
        return sorted({cell.unknown for cell in self._read[:above]} - {""})

    def _replaced(self, above: int) -> frozenset[str] | None:
        """All names that so many cells may have replaced; None where these may be any."""
        if above not in self._by_place:
            self._by_place[above] = self._of(above)
        return self._by_place[above]

    def _of(self, above: int) -> frozenset[str] | None:
        cells = self._read[:above]
        if len(cells) < above or any(cell.unread for cell in cells):
            return None
        known = self._known_names
        changed = touched(cells, frozenset(known.modules), known.functions, known.plain)
        names = {name for name in changed if not hasattr(builtins, name)}  # whose objects nobody can change
        return None if A_MODULE in changed else frozenset(names).union(*(cell.binds for cell in cells))

    @cached_property
    def _as_python(self) -> list[Cell]:
        """What the cells run, as far as there is time to read them."""
        cells: list[Cell] = []
        steps = 0
        for cell in self.cells:
            cells.append(python_of(cell.source))
            steps += cells[-1].steps
            if steps > MOST_STEPS:
                return cells[:-1]
        return cells

    @cached_property
    def _known_names(self) -> Known:
        """What the lesson's cells and the learner's give to one another."""
        lessons = [survey_of(cell.source) for cell in self.lesson if not has_learners_text(cell)]
        stubs = [survey_of(text) for text in self.given.values()]
        return Known([cell.survey for cell in self._as_python], lessons, stubs)

    @cached_property
    def _read(self) -> list[Read]:
        known = self._known_names
        return [read(cell, self.given, known) for cell in self._as_python]
