"""The index that `course lab` opens: all lessons, the learner's points, and where they left off.

The build makes it (:mod:`autograder.authoring.navigation`); its one code cell reads the learner's saved notebooks.
Here that cell is run once before JupyterLab starts, so that the page is up to date without a kernel.
"""

from __future__ import annotations

from typing import Any

import nbformat

from ..files import write_if_changed
from ..notebooks import notebook_text, read_text
from ..paths import Course

INDEX = "index.ipynb"


def write_index(course: Course, messages: list[str]) -> str:
    """Write ``work/index.ipynb`` and return what JupyterLab is to open, relative to ``work/``.

    Args:
        course: whose index.
        messages: what the learner should know about their copies; shown at the top.
    """
    released = course.notebooks / INDEX
    if not released.is_file():
        return ""
    notebook = read_text(released.read_text(encoding="utf-8"))
    for cell in notebook.cells:
        if cell.id == "welcome" and messages:
            cell.source += "\n\n" + "\n".join(f"* {message}" for message in messages)
        if cell.id == "progress":
            names: dict[str, Any] = {}
            exec(compile(cell.source, INDEX, "exec"), names)  # our own cell, as it was built
            data = {"text/markdown": names["progress_table"](course.work), "text/plain": "Your points."}
            cell.outputs = [nbformat.v4.new_output("display_data", data)]
    write_if_changed(course.work / INDEX, notebook_text(notebook))
    return INDEX
