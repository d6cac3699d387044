"""A notebook that was worked on, saved and downloaded in Colab gets the points that it would have got otherwise."""

from __future__ import annotations

import json

import nbconvert
import nbformat
import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom.demo import COLAB_DAMAGES, damaged, save_like_colab
from autograder.classroom.submissions import Classroom
from autograder.cli import main
from autograder.grading.lesson import Lesson, read_lesson
from tests.grading.conftest import NAME, graded, taken_in

# One mistake, so that a grader that gives everybody all points would be noticed.
MISTAKES = {
    "01_device_placement": ("spread", "def spread(n, devices):\n    return {}"),
    "08_mixed_precision_and_tpu": ("bits", "def read_bits(bits, name):\n    return 0.0"),
}


def points(report) -> dict[str, float | None]:
    return {check.name: check.points for check in report.checks}


def as_saved_by_colab(raw: bytes) -> bytes:
    return damaged(raw, save_like_colab)


def solved(lesson: Lesson) -> bytes:
    """All answers right, but one; and a written one."""
    exercise, mistake = MISTAKES[lesson.name]
    written = {cell.id: "In words." for cell in lesson.release.cells if cell.metadata.course.role == "written"}
    answers = reference_answers(lesson)
    assert exercise in answers
    return submission(lesson, answers | {exercise: mistake} | written)


def test_the_damaged_file_is_what_colab_saves(sums, right):
    content = json.loads(as_saved_by_colab(right))
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 0)
    assert all("id" not in cell and cell["metadata"]["id"] for cell in content["cells"])
    [widgets] = content["metadata"]["widgets"].values()
    assert widgets and "state" not in widgets
    with pytest.raises(KeyError, match="state"):  # what nbconvert, and so nbgrader alone, makes of it
        nbconvert.HTMLExporter().from_notebook_node(nbformat.reads(as_saved_by_colab(right).decode(), as_version=4))


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_the_grade_is_that_of_the_undamaged_notebook(name, course, kernels):
    lesson = read_lesson(course, name)
    raw = solved(lesson)
    before = graded(raw, lesson, kernels=kernels).report
    after = graded(as_saved_by_colab(raw), lesson, kernels=kernels).report
    assert points(after) == points(before)
    earned, of = after.automatic
    assert 0 < earned < of and after.waiting > 0
    assert not after.flags and not after.problem
    assert "saved by Colab in format 4.0" in " ".join(after.mends)
    assert "Widgets were saved without their state" in " ".join(after.mends)


@pytest.mark.parametrize("damage", COLAB_DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", MISTAKES)
def test_each_damage_alone_leaves_the_notebook_that_is_graded_as_it_was(name, damage, course):
    lesson = read_lesson(course, name)
    raw = solved(lesson)
    before = taken_in(raw, lesson)
    after = taken_in(damaged(raw, damage), lesson)
    assert after.notebook == before.notebook and not after.flags


@pytest.mark.parametrize("name", MISTAKES)
def test_lost_marks_besides_are_recovered(name, course):
    """Colab keeps nbgrader's marks; where something else on the way has dropped them, ids in the metadata do."""
    lesson = read_lesson(course, name)
    raw = solved(lesson)

    def lose_marks(notebook):
        save_like_colab(notebook)
        for cell in notebook.cells:
            cell.metadata = {"id": cell.metadata["id"]}

    after = taken_in(damaged(raw, lose_marks), lesson)
    assert after.notebook == taken_in(raw, lesson).notebook and not after.flags


@pytest.mark.parametrize("name", MISTAKES)
def test_a_notebook_from_before_the_set_up_cell_is_graded_as_ever(name, course):
    lesson = read_lesson(course, name)
    raw = solved(lesson)

    def never_had_it(notebook):
        notebook.cells = [cell for cell in notebook.cells if cell.id != "shared-colab_setup"]

    before = taken_in(raw, lesson)
    after = taken_in(damaged(raw, never_had_it), lesson)
    assert (after.notebook, after.mends, after.flags, after.notes) == (before.notebook, [], [], [])


def test_the_set_up_cell_is_not_run_when_graded(course, kernels):
    lesson = read_lesson(course, "00_start_here")
    result = graded(submission(lesson, reference_answers(lesson)), lesson, kernels=kernels)
    executed, report = result.notebook, result.report
    [cell] = [cell for cell in executed.cells if cell.id == "shared-colab_setup"]
    assert cell.execution_count is None
    assert report.automatic[0] == report.automatic[1] > 0


@pytest.mark.xdist_group("gradebook")
def test_a_class_with_it_is_graded_through_nbgrader_too(sums_course, right):
    """The whole way: gradebook and feedback, where nbconvert reads the notebook."""
    classroom = Classroom(sums_course)
    for student, raw in (("colab", as_saved_by_colab(right)), ("jupyter", right)):
        folder = classroom.submitted / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(raw)
    assert main(["grade"]) == 0
    grades = json.loads((sums_course.classroom / "grades.json").read_text())
    scores = {entry["student"]: (entry["score"], entry["max_score"]) for entry in grades}
    assert scores == {"colab": (7, 9), "jupyter": (7, 9)}
    page = (sums_course.classroom / "feedback" / "colab" / NAME / f"{NAME}.html").read_text()
    assert "brought to today&#39;s format" in page or "brought to today's format" in page
