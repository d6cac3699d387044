"""Every lesson, run top to bottom in a real kernel: once solved, once as a learner first opens it.

As it is first opened, the cells that grading leaves out are not run a second time: they use no exercise's answer, so
they do the same as in the solved lesson. ``-m exhaustive`` runs them all.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest

from tests.conftest import LESSONS
from tests.kernels import run_notebook

pytestmark = [pytest.mark.slow]

# one kernel per lesson and state, shared by the tests below
STATES = [
    pytest.param((lesson, state), id=f"{lesson}-{state}", marks=pytest.mark.xdist_group(f"{lesson}-{state}"))
    for lesson in LESSONS
    for state in ("solved", "fresh")
] + [
    pytest.param(
        (lesson, "whole"),
        id=f"{lesson}-whole",
        marks=[pytest.mark.xdist_group(f"{lesson}-whole"), pytest.mark.exhaustive],
    )
    for lesson in LESSONS
]


@pytest.fixture(scope="module")
def runs():
    return {}


@pytest.fixture
def run(request, runs, course, tmp_path_factory):
    """The executed notebook, alone in an empty folder: it must be complete in itself."""
    lesson, state = request.param
    if request.param not in runs:
        folder = Path(tmp_path_factory.mktemp(lesson))
        notebook = nbformat.read(
            course.solution_notebook(lesson) if state == "solved" else course.release_notebook(lesson), as_version=4
        )
        if state == "fresh":
            notebook.cells = [cell for cell in notebook.cells if cell.metadata.course.get("grading") != "skip"]
        alone = folder / f"{lesson}.ipynb"
        nbformat.write(notebook, alone)
        runs[request.param] = run_notebook(alone, folder)
    return runs[request.param]


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
