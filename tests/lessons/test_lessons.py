"""Every lesson, run top to bottom in a real kernel: once solved, once as a learner first opens it.

As it is first opened, it runs in the same kernel after the solved one: the cells of its exercises, with their checks.
``-m exhaustive`` runs the whole of it in a kernel of its own.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import replace

import nbformat
import pytest

from tests.conftest import LESSONS
from tests.kernels import Run, run_notebook

pytestmark = [pytest.mark.slow]

# a kernel per lesson, shared by the tests below
STATES = [
    pytest.param((lesson, state), id=f"{lesson}-{state}", marks=pytest.mark.xdist_group(lesson))
    for lesson in LESSONS
    for state in ("solved", "fresh")
] + [
    pytest.param(
        (lesson, "whole"), id=f"{lesson}-whole", marks=[pytest.mark.xdist_group(lesson), pytest.mark.exhaustive]
    )
    for lesson in LESSONS
]
AGAIN = "again-"  # begins the name of a cell of the released notebook that runs after the solved one


@pytest.fixture(scope="module")
def runs():
    return {}


@pytest.fixture
def run(request, runs, course, tmp_path_factory):
    """The executed notebook, alone in an empty folder: it must be complete in itself."""
    lesson, state = request.param
    if request.param not in runs:
        folder = tmp_path_factory.mktemp(lesson)
        notebook = nbformat.read(course.release_notebook(lesson), as_version=4)
        if state != "whole":
            exercises = [cell for cell in notebook.cells if cell.metadata.course.role in ("solution", "try", "check")]
            notebook = nbformat.read(course.solution_notebook(lesson), as_version=4)
            notebook.cells += [nbformat.from_dict({**cell, "id": f"{AGAIN}{cell.id}"}) for cell in exercises]
        alone = folder / f"{lesson}.ipynb"
        nbformat.write(notebook, alone)
        done = run_notebook(alone, folder)
        if state == "whole":
            runs[request.param] = done
        else:
            runs[lesson, "solved"] = part_of(done, lambda cell: not cell.id.startswith(AGAIN))
            runs[lesson, "fresh"] = part_of(done, lambda cell: cell.id.startswith(AGAIN))
    return runs[request.param]


def part_of(run: Run, chosen) -> Run:
    """A run with the chosen cells only."""
    cells = [cell for cell in run.notebook.cells if chosen(cell)]
    return replace(run, notebook=nbformat.from_dict({**run.notebook, "cells": cells}))


@pytest.mark.parametrize("run", STATES, indirect=True)
def test_nothing_is_written_to_stderr(run):
    assert run.stderr() == []


@pytest.mark.parametrize("run", STATES, indirect=True)
def test_only_unsolved_checks_fail(run, request):
    state = request.node.callspec.params["run"][1]
    errors = run.errors()
    if state == "solved":
        assert errors == {}
        return
    # a learner who runs a fresh notebook meets errors only in visible checks, each saying that there is nothing yet
    visible = {cell.id for cell in run.notebook.cells if cell.metadata.course.role == "check"}
    assert errors.keys() == visible
    assert all("write this exercise first" in message for message in errors.values()), errors


def prints(body: list[ast.stmt], in_loop: bool = False) -> bool:
    """Whether these statements print something, as far as their text tells."""
    for node in body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if getattr(node.value.func, "id", "") == "print":
                return True
        elif isinstance(node, ast.If):
            if prints(node.body, in_loop) and (in_loop or prints(node.orelse)):
                return True
        elif isinstance(node, (ast.For, ast.With)) and prints(node.body, in_loop or isinstance(node, ast.For)):
            return True
    return False


@pytest.mark.parametrize("run", [param for param in STATES if param.values[0][1] == "solved"], indirect=True)
def test_a_cell_that_prints_shows_something(run):
    silent = [
        cell.id
        for cell in run.notebook.cells
        if cell.cell_type == "code" and not cell.outputs and prints(ast.parse(cell.source).body)
    ]
    assert silent == []


@pytest.mark.parametrize("run", STATES, indirect=True)
def test_every_code_cell_ran(run):
    counts = [cell.execution_count for cell in run.notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert counts == sorted(counts)
    assert None not in counts


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("run", STATES, indirect=True)
def test_nothing_is_left_running(run):
    assert run.left_behind() == []


@pytest.mark.parametrize("run", STATES, indirect=True)
def test_the_result_can_be_saved_and_validates(run):
    nbformat.validate(run.notebook)


@pytest.mark.parametrize("run", STATES, indirect=True)
def test_nothing_claims_that_all_tests_passed(run):
    for cell in run.notebook.cells:
        for output in cell.get("outputs", []):
            text = str(output.get("text", "")) + str(output.get("data", ""))
            assert "all tests pass" not in text.lower()
            assert "all checks pass" not in text.lower()
