"""Pages of the web book: what is on them, and what is not."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_output

from autograder.authoring import site
from autograder.errors import CourseError
from autograder.paths import Course

LESSONS = [path.name for path in sorted(Path(__file__).parents[2].glob("notebooks/*/"))]
SECRET = "what an answer printed"


def release(course: Course, lesson: str) -> nbformat.NotebookNode:
    return nbformat.read(course.release_notebook(lesson), as_version=4)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_page_has_what_learners_have_and_nothing_of_answers(course: Course, lesson: str, tmp_path: Path) -> None:
    given = release(course, lesson)
    roles = {cell.id: cell.metadata.course.role for cell in given.cells}
    ran = {roles[cell.id] for cell in given.cells if cell.cell_type == "code" and site._is_run(cell)}
    assert not ran & {"try", "check", "hidden"}  # they cost time, and the page shows nothing of them
    shown = {name: [new_output("stream", text=SECRET)] for name, role in roles.items() if role in site.OF_AN_EXERCISE}
    assert shown or lesson == "00_start_here"
    page = site.page(given, shown, tmp_path / "pictures")
    nbformat.validate(page)
    assert SECRET not in nbformat.writes(page)
    original = {cell.id: cell.source for cell in release(course, lesson).cells}
    for cell in page.cells:
        assert roles[cell.id] not in ("hidden", "model", "written")
        if cell.cell_type == "code":
            assert original[cell.id].endswith(cell.source)  # a folded cell's title is the words of its bar
    assert len(page.cells) > 0.7 * len(original)
    assert "data:image/svg" not in nbformat.writes(page)


def test_a_widget_is_left_out_and_its_still_picture_is_open(course: Course, tmp_path: Path) -> None:
    given = release(course, "05_control_dependencies")
    code = next(cell for cell in given.cells if cell.metadata.course.role == "code")
    widget = new_output("display_data", data={site.WIDGET: {}, "text/plain": "IntSlider()"})
    page = site.page(given, {code.id: [widget, new_output("stream", text="kept")]}, tmp_path)
    [cell] = [cell for cell in page.cells if cell.id == code.id]
    assert [output.text for output in cell.outputs] == ["kept"]
    stills = [cell.source for cell in page.cells if "Picture for reading without a kernel" in cell.source]
    assert stills and all("<details open>" in text for text in stills)


def test_links_to_files_that_are_no_pages_are_words(course: Course) -> None:
    text = (
        "[how](CONTRIBUTING.md), [licence](LICENSE), [nbgrader](https://nbgrader.readthedocs.io), ![map](assets/a.svg)"
    )
    assert site._elsewhere(text, course, "README.md") == text.replace("[licence](LICENSE)", "licence (`LICENSE`)")
    guide = "[house](../CONTRIBUTING.md#the-house), [grading](grading.md), [settings](../pyproject.toml)"
    there = guide.replace("[settings](../pyproject.toml)", "settings (`pyproject.toml`)")
    assert site._elsewhere(guide, course, "docs/teaching.md") == there


def test_a_folder_with_something_else_in_it_is_kept(course: Course, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    monkeypatch.chdir(course.root)
    arguments = type("Arguments", (), {"lessons": ["00"], "output": tmp_path, "workers": 1})()
    with pytest.raises(CourseError, match="holds no book"):
        site.command(arguments)
    assert (tmp_path / "mine.txt").exists()


@pytest.mark.slow
def test_a_lesson_that_fails_is_named_and_nothing_is_kept(course: Course, tmp_path: Path, monkeypatch) -> None:
    small = Course(tmp_path)
    monkeypatch.setattr(site, "read_lesson", lambda *_: None)
    monkeypatch.setattr(site, "reference_answers", lambda _: None)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    monkeypatch.setattr(site, "submission", lambda *_: nbformat.writes(notebook).encode())
    with pytest.raises(CourseError, match=r"(?s)05_x could not be run.*ZeroDivisionError"):
        site.run_lesson(small, "05_x")
    assert not (tmp_path / site.KEPT).exists()
