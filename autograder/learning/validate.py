"""What the Validate button runs: a notebook's visible checks in a fresh kernel, in a process of its own.

    python -m autograder.learning.validate PATH

It prints one line of JSON in the form that nbgrader's button expects: ``{"success": true, "value": {...}}`` with the
cells that failed or changed, or ``{"success": false, "value": "what is wrong with the notebook"}``.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from jupyter_core.paths import jupyter_config_path
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.apps import NbGrader
from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError, ValidationError
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade
from nbgrader.validator import Validator
from traitlets import List
from traitlets.config import Config

from ..errors import CourseError
from ..grading.text import clean_line
from ..wording import listed, typed

STDOUT, STDERR = 1, 2  # the descriptors that a kernel and its processes inherit
Resources = dict[str, Any]  # what nbconvert hands from step to step


class AsGraded(NbGraderPreprocessor):
    """Forget outputs that count for nbgrader and not for grading here.

    What a cell wrote to stderr would be a failure, and the value of a check's last line a part of its points, or an
    error where it is more than those.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: Resources, cell_index: int
    ) -> tuple[NotebookNode, Resources]:
        if cell.cell_type == "code":
            kept = [output for output in cell.outputs if output.get("name") != "stderr"]
            cell.outputs = [output for output in kept if output.output_type != "execute_result"]
        return cell, resources


class VisibleChecks(Validator):
    """nbgrader's validator, agreeing with the course's grading about what a check prints."""

    preprocessors = List([CheckCellMetadata, ClearOutput, Execute, AsGraded])


def config_on_path() -> Config:
    """The settings of the ``nbgrader_config.py`` that nbgrader finds on Jupyter's path, which `course lab` has set."""
    app = NbGrader()
    app.config_file_paths.append(jupyter_config_path())
    app.load_config_file()
    return app.config


def validate(path: Path) -> dict[str, list[dict[str, str]]]:
    """Run a notebook's visible checks; empty when all pass, else nbgrader's lists of failed or changed cells.

    A failed check is listed by its name.

    Raises:
        CourseError: the file is no notebook, has no checks that could be run, asks for a kernel that is not here, or a
            cell ends the kernel.
    """
    try:
        cells = nbformat.read(path, as_version=4).cells
        graded = [cell for cell in cells if is_grade(cell)]
    except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise CourseError(
            f"{path.name} cannot be read as a notebook. Save it, or take it anew from notebooks/."
        ) from error
    if not graded:
        raise CourseError(
            f"{path.name} has no checks. If it is a lesson, another program has removed the marks that nbgrader needs. "
            + in_a_new_copy()
        )
    if copied := _copied(cells):
        raise CourseError(
            f"{path.name} has {listed(copied)} more than once, as copies of cells. Delete the copies, save the "
            "notebook and try again."
        )
    try:
        found = VisibleChecks(config=config_on_path()).validate(str(path))
    except (ValidationError, AttributeError, TypeError, UnicodeError) as error:  # what is no mark, or no cell
        raise CourseError(
            f"Cells of {path.name}, or nbgrader's marks in them, are damaged; another program may have done that. "
            + in_a_new_copy()
        ) from error
    except (SchemaTooOldError, SchemaTooNewError) as error:
        raise CourseError(f"{path.name} was made with another version of nbgrader: {error}") from error
    except NoSuchKernel as error:
        raise CourseError(
            f"{path.name} asks for a kernel named {clean_line(str(error.name))!r}, which is not here; another program "
            "may have written that name. Choose Kernel > Change Kernel, then Python 3, save the notebook and try again."
        ) from error
    except DeadKernelError as error:
        raise CourseError(
            f"A cell of {path.name} ended the kernel, so no check after it could run. Choose Kernel > Restart Kernel "
            "and Run All Cells to see which cell it is, and change it."
        ) from error
    except CellTimeoutError as error:
        raise CourseError(
            f"A cell of {path.name} did not end in time. Choose Kernel > Restart Kernel and Run All Cells to see which."
        ) from error
    for failed in found.get("failed", []):
        failed["source"] = name_of_check(failed["source"])
    return found


def in_a_new_copy() -> str:
    """What to do with a copy of a lesson that cannot be mended."""
    return f"Copy your answers into a new copy of the lesson (delete this one and run {typed('lab')} again)."


def _copied(cells: list[NotebookNode]) -> list[str]:
    """Answers and checks that are there more than once, which nbgrader refuses."""
    marks = (cell.metadata.get("nbgrader") for cell in cells)
    names = Counter(str(mark.get("grade_id", "")) for mark in marks if isinstance(mark, dict))
    return [f"the cell `{clean_line(name)}`" for name, times in names.items() if name and times > 1]


def name_of_check(source: str) -> str:
    """A check cell's first line, which names it. The button shows the source first, but the message is what counts."""
    return source.splitlines()[0].removeprefix("#@title ") if source.startswith("#@title Check · ") else source


@contextlib.contextmanager
def answer_alone() -> Iterator[TextIO]:
    """Where the answer goes. All else that is printed meanwhile, also by processes of the notebook, goes to stderr."""
    with os.fdopen(os.dup(STDOUT), "w", encoding="utf-8") as answer_to, contextlib.redirect_stdout(sys.stderr):
        os.dup2(STDERR, STDOUT)
        try:
            yield answer_to
        finally:
            os.dup2(answer_to.fileno(), STDOUT)


def main(path: str) -> int:
    with answer_alone() as answer_to:
        try:
            answer = {"success": True, "value": validate(Path(path))}
        except CourseError as error:
            answer = {"success": False, "value": str(error)}
        print(json.dumps(answer), file=answer_to)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
