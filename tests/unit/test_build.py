"""Both trees of notebooks come from the sources, byte for byte, and hold what they should."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from autograder.authoring import build
from autograder.authoring.lint import leaks
from autograder.paths import Course
from tests.conftest import LESSONS

LESSON = "01_doubling"


def write_all(course: Course) -> None:
    for lesson in course.lessons():
        for path, text in build.build_lesson(course, lesson).items():
            build.write_if_changed(path, text)


def release_cells(course: Course) -> dict[str, str]:
    notebook = json.loads(course.release_notebook(LESSON).read_text())
    return {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}


def test_the_learner_sees_stubs_and_no_hidden_tests(mini):
    write_all(mini)
    cells = release_cells(mini)
    assert cells["double"].splitlines()[-2:] == [
        "    # YOUR CODE HERE",
        '    raise NotImplementedError("write this exercise first")',
    ]
    assert cells["why"] == "YOUR ANSWER HERE"
    assert "assert" in cells["double-two"]
    assert cells["double-minus"].splitlines()[0] == "#@title Hidden check · Below zero · 1 point"
    assert all(line.startswith("#") for line in cells["double-minus"].splitlines())
    assert leaks(mini) == []


def test_a_leak_is_found(mini):
    write_all(mini)
    path = mini.release_notebook(LESSON)
    path.write_text(path.read_text().replace("# YOUR CODE HERE", "return sum([x, x, 0, 0])"))
    assert "holds a line of an answer" in leaks(mini)[0]
    (path.parent / "answers.py").write_text("")
    assert any("only the learner's notebooks belong" in found for found in leaks(mini))


def test_a_lesson_that_nbgrader_refuses_is_named(mini, edit):
    edit("    ### END SOLUTION\n", "")
    with pytest.raises(build.CourseError, match="could not release 01_doubling"):
        build.build_lesson(mini, LESSON)


def test_two_builds_in_different_folders_and_processes_are_identical(mini, tmp_path):
    write_all(mini)
    twin = tmp_path / "elsewhere" / "twin"
    twin.parent.mkdir()
    subprocess.run(["cp", "-r", str(mini.root), str(twin)], check=True)
    for notebook in twin.rglob("*.ipynb"):
        notebook.unlink()
    environment = {**os.environ, "COURSE_ROOT": str(twin), "PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "Asia/Seoul"}
    subprocess.run([sys.executable, "-m", "autograder", "build"], check=True, env=environment)
    ours = {p.relative_to(mini.root): p.read_bytes() for p in mini.root.rglob("*.ipynb")}
    theirs = {p.relative_to(twin): p.read_bytes() for p in twin.rglob("*.ipynb") if p.stem != "index"}
    assert len(ours) == 2
    assert ours == theirs


def test_a_build_removes_lessons_whose_source_is_gone(mini, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_ROOT", str(mini.root))
    write_all(mini)
    mini.source(LESSON).rename(mini.root / "kept.py")
    assert build.orphans(mini) == [mini.notebooks / LESSON]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_committed_notebooks_are_fresh(course, lesson):
    for path, text in build.build_lesson(course, lesson).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.relative_to(course.root)}: run `course build`"


def test_nothing_of_an_answer_is_under_notebooks(course):
    assert leaks(course) == []
    assert build.orphans(course) == []
