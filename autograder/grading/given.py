"""Given functions: what measures must be what the lesson says, not what a notebook says.

In a few exercises checks ask what processes did, through a function that the stub brings and that runs beside the
learner's code (:mod:`autograder.authoring.given`). It is defined anew whenever a check asks something. That is no
wall: what it measures *with* are the lesson's own functions, classes and variables, which live among the learner's
names. A notebook that could have replaced one of these, as far as :mod:`.harmless` can tell, is shown to a person.
"""

from __future__ import annotations

from nbformat import NotebookNode

from .harmless import A_MODULE, read, touched


def definitions(cell: NotebookNode) -> str:
    """Code that defines what the stub in a solution cell gives for its checks; "" where it gives nothing."""
    return "\n\n".join(_given(cell).values())


def _given(cell: NotebookNode) -> dict[str, str]:
    given: dict[str, str] = cell.metadata.get("course", {}).get("given", {})
    return given


class Learners:
    """The cells of a notebook whose text is the learner's, each read once."""

    def __init__(self, cells: list[NotebookNode]) -> None:
        self.read = [read(cell.source, _given(cell)) for cell in cells]
        self.touched = touched(self.read)

    def may_have_replaced(self, solution: NotebookNode) -> list[str]:
        """Names that the checks of an exercise rest on and that one of the cells may have replaced, sorted.

        Args:
            solution: the exercise's solution cell, whose metadata say what is given and what it measures with.
        """
        given = _given(solution)
        names = {*given, *solution.metadata.get("course", {}).get("measured_with", [])} if given else set()
        if any(cell.unread or A_MODULE in others for cell, others in zip(self.read, self.touched, strict=True)):
            return sorted(names)
        taken = {name for cell in self.read for name in cell.binds | cell.words}
        return sorted(names & taken.union(*self.touched))
