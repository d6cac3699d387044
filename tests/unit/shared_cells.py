"""Runs shared cells as a notebook would, one after the other in one namespace, without Jupyter."""

from __future__ import annotations

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course


def run_cells(course: Course, *names: str) -> dict:
    """The namespace after the shared cells ``names`` (without ``.py``) ran in this order."""
    import matplotlib

    matplotlib.use("Agg")
    namespace: dict = {"__name__": "__main__"}
    for name in names:
        cell = SourceCell("code", "include", f"{name}.py", "", "test")
        exec(compile(shared_cell(course, cell), f"{name}.py", "exec"), namespace)
    return namespace
