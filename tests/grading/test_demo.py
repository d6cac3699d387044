"""`course demo` and `course grade` on the real lessons: each made-up student gets exactly the expected points."""

from __future__ import annotations

import json
import shutil

import pytest
from nbgrader.api import Gradebook

from autograder.classroom import demo
from autograder.classroom.gradebook import prepare
from autograder.classroom.submissions import Classroom
from autograder.cli import main
from autograder.files import write_whole
from autograder.paths import Course
from tests.grading.conftest import NAME

STUDENTS = [
    "right", "half-right", "wrong", "empty", "not-json", "zero-bytes", "missing-notebook", "misnamed",
    "duplicated-cells", "deleted-tests", "from-colab", "lost-metadata", "noisy",
]  # fmt: skip

pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="module")
def graded(course, tmp_path_factory):
    """The whole demo, once: ``(expected, rows of grades.json)``."""
    copy = Course(tmp_path_factory.mktemp("demo") / "course")
    for lesson in course.lessons():
        for path in (course.source(lesson), course.solution_notebook(lesson), course.release_notebook(lesson)):
            target = copy.root / path.relative_to(course.root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        shutil.copytree(course.source(lesson).parent / "answers", copy.source(lesson).parent / "answers")
    copy.shared.mkdir()
    copy.config.mkdir()
    shutil.copy(course.config / "nbgrader_config.py", copy.config)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_ROOT", str(copy.root))
        assert main(["demo"]) == 0
        assert main(["grade"]) == 0
    expected = json.loads((copy.classroom / "demo.json").read_text())
    rows = json.loads((copy.classroom / "grades.json").read_text())
    return expected, {(row["student"], row["lesson"]): row for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize("student", STUDENTS)
def test_each_made_up_student_gets_exactly_the_expected_points(graded, student):
    expected, rows = graded
    mine = expected[f"demo-{student}"]
    assert mine
    for lesson, wanted in mine.items():
        row = rows[f"demo-{student}", lesson]
        assert (row["score"], row["max_score"]) == (wanted["score"], wanted["max_score"])
        checks = row["report"]["checks"]
        assert sum(check["max_points"] for check in checks if check["points"] is None) == wanted["waiting"]
        assert bool(row["report"]["flags"]) == wanted["needs_person"]
        assert wanted["says"] in row["remarks"]


@pytest.mark.slow
def test_nobody_else_is_in_the_made_up_class(graded):
    expected, rows = graded
    assert sorted(expected) == sorted(f"demo-{student}" for student in STUDENTS)
    assert {student for student, _ in rows} == set(expected)
    assert {lesson for _, lesson in rows} == {lesson for row in expected.values() for lesson in row}


def test_a_second_demo_replaces_the_first_and_remove_takes_it_away(sums_course, capsys):
    classroom = Classroom(sums_course)
    assert main(["demo"]) == 0
    (classroom.submitted / "demo-right" / NAME / "left.txt").touch()
    assert main(["demo"]) == 0
    assert not (classroom.submitted / "demo-right" / NAME / "left.txt").exists()
    assert sorted(classroom.students()) == sorted(f"demo-{student}" for student in STUDENTS)
    kept = [sums_course.classroom / "journal" / NAME / name for name in ("demo-right.json", "ada.json")]
    kept += [sums_course.classroom / "feedback" / who / NAME / f"{NAME}.html" for who in ("demo-right", "ada")]
    for path in kept:
        write_whole(path, b"{}")
    prepare(sums_course, NAME)
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        for who in ("demo-right", "ada"):
            gradebook.add_student(who)
            gradebook.add_submission(NAME, who)
    assert main(["demo", "--remove"]) == 0
    assert [path.exists() for path in kept] == [False, True, False, True]
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        assert [one.student_id for one in gradebook.assignment_submissions(NAME)] == ["ada"]
    assert "Removed 13" in capsys.readouterr().out
    assert list(classroom.submitted.iterdir()) == []


@pytest.mark.parametrize("name", ["ada", "demo-ada"])
def test_a_real_class_is_never_touched(sums_course, capsys, name):
    classroom = Classroom(sums_course)
    theirs = classroom.submitted / name / NAME / "work.ipynb"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("mine")
    assert main(["demo"]) == 2
    assert "holds a class that this command did not make" in capsys.readouterr().err
    assert [p for p in classroom.submitted.rglob("*") if p.is_file()] == [theirs]
    assert demo.remove(classroom) == 0
