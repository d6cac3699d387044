"""A class with the small lesson: gradebook, feedback, tables, journal, and nbgrader's own commands."""

from __future__ import annotations

import copy
import csv
import errno
import hashlib
import html
import json
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import nbformat
import psutil
import pytest
import sqlalchemy
from nbgrader.api import Gradebook

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom import recording
from autograder.classroom.grade import Grader, workers_here
from autograder.classroom.gradebook import autograded_path
from autograder.classroom.gradebook import grades as in_book
from autograder.classroom.journal import Recorded, journal_of
from autograder.classroom.outcome import why_not_of_now
from autograder.classroom.submissions import Classroom, Task, content_of, note_path, read_submission_of
from autograder.cli import main
from autograder.errors import CourseError
from autograder.grading.execute import Options
from autograder.grading.grade import grade_submission
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import probe
from autograder.grading.sandbox.kernels import UNSAFE
from autograder.teaching.written import UNRECORDED, answers, opened, question
from tests.grading.conftest import NAME, SOURCE, build

pytestmark = [pytest.mark.xdist_group("gradebook"), pytest.mark.usefixtures("one_template")]


@pytest.fixture
def classroom(sums_course):
    return Classroom(sums_course)


@pytest.fixture
def put(classroom):
    """``put(student, bytes or None)`` hands something in."""

    def hand_in(student, raw, file=f"{NAME}.ipynb"):
        folder = classroom.submitted / student / NAME
        folder.mkdir(parents=True, exist_ok=True)
        if raw is not None:
            (folder / file).write_bytes(raw)
        return folder

    return hand_in


@pytest.fixture
def wrong(sums):
    return submission(sums, reference_answers(sums) | {"double": "def double(x):\n    return x * x"})


def grade(*arguments):
    return main(["grade", *arguments])


def table(classroom):
    with (classroom.course.classroom / "grades.csv").open(newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def in_gradebook(classroom, student):
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, student)
        grades = {
            grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade) for grade in found.grades
        }
        return found.score, found.max_score, grades


def test_a_class_is_graded_and_no_broken_submission_stops_it(classroom, put, right, wrong, capsys):
    put("ada", right)
    put("bob", b"{")
    put("cleo", None)
    put("dan", wrong)
    put("eve", right, file="homework.ipynb")
    (put("fay", right) / "dangling").symlink_to("/nowhere/at/all")
    before = (classroom.submitted / "ada" / NAME / f"{NAME}.ipynb").read_bytes()
    notebooks = {path: path.read_bytes() for path in classroom.course.notebooks.rglob("*.ipynb")}
    assert grade() == 0
    rows = table(classroom)
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        "ada": 7, "bob": 0, "cleo": 0, "dan": 6, "eve": 7, "fay": 7,
    }  # fmt: skip
    assert all(float(row["max_score"]) == 9 for row in rows.values())
    assert "not valid JSON" in rows["bob"]["remarks"] and rows["bob"]["needs_person"] == "True"
    assert "No notebook was handed in" in rows["cleo"]["remarks"] and "was named 'homework" in rows["eve"]["remarks"]
    for student in rows:  # the gradebook says the same
        score, of, grades = in_gradebook(classroom, student)
        assert (score, of) == (float(rows[student]["score"]), 9)
        assert all(grade[2] for grade in grades.values()) or student not in ("bob", "cleo")
    assert in_gradebook(classroom, "ada")[2]["why"] == (None, None, True)
    out = capsys.readouterr().out
    assert "ada" in out and "7 of 9" in out
    assert (classroom.submitted / "ada" / NAME / f"{NAME}.ipynb").read_bytes() == before
    assert {path: path.read_bytes() for path in classroom.course.notebooks.rglob("*.ipynb")} == notebooks

    page = (classroom.course.classroom / "feedback" / "dan" / NAME / f"{NAME}.html").read_text()
    assert "it takes the absolute value" in page and "6 of 7" in page
    assert "secret = -41" not in page and "://" not in page, "no hidden test, nothing from the net"
    full = json.loads((classroom.course.classroom / "grades.json").read_text())
    assert {entry["student"] for entry in full} == set(rows)


def test_what_is_unchanged_is_not_run_again_and_grades_by_hand_are_kept(classroom, put, right, wrong, capsys):
    put("ada", right)
    assert grade() == 0
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        given = gradebook.find_grade("why", NAME, NAME, "ada")
        given.manual_score, given.needs_manual_grade = 1.5, False
        gradebook.find_comment("why", NAME, NAME, "ada").manual_comment = "Say more about the request."
        gradebook.db.commit()
    capsys.readouterr()
    assert grade() == 0
    assert "unchanged" in capsys.readouterr().out
    assert float(table(classroom)["ada"]["score"]) == 8.5
    page = (classroom.course.classroom / "feedback" / "ada" / NAME / f"{NAME}.html").read_text()
    assert "1.5 of 2" in page and "Say more about the request." in page

    put("ada", wrong + b"\n")  # handed in again: graded again, and the person is asked to look again
    assert grade() == 0
    assert "unchanged" not in capsys.readouterr().out
    score, _, grades = in_gradebook(classroom, "ada")
    assert grades["why"][1:] == (1.5, True) and grades["double-minus"][0] == 0
    capsys.readouterr()
    assert grade("--force", "1", "--student", "ada") == 0
    assert "unchanged" not in capsys.readouterr().out


def by_hand(classroom, student, points, comment=""):
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        given = gradebook.find_grade("why", NAME, NAME, student)
        given.manual_score, given.needs_manual_grade = points, False
        gradebook.find_comment("why", NAME, NAME, student).manual_comment = comment or None
        gradebook.db.commit()


def test_points_by_hand_over_a_later_result_are_pointed_out_and_are_no_answer_that_waits(classroom, put, right, wrong):
    put("ada", wrong)
    assert grade() == 0
    by_hand(classroom, "ada", 1)
    set_by_hand(classroom, "ada", "double-minus", 0.5)
    assert grade() == 0

    def of_ada():
        (lesson,) = json.loads((classroom.course.classroom / "report.json").read_text())["lessons"]
        return "ada" in lesson["flags"], "ada" in lesson["waiting"]

    assert of_ada() == (False, False)
    assert grade("--force") == 0
    assert of_ada() == (False, False), "the same work got the same points"
    put("ada", right)
    assert grade() == 0
    assert of_ada() == (True, True)
    assert grade("--force") == 0
    assert of_ada() == (True, True), "nobody has looked since"
    by_hand(classroom, "ada", 2)
    assert grade() == 0
    assert of_ada() == (True, False)
    set_by_hand(classroom, "ada", "double-minus", None)
    assert grade() == 0
    assert of_ada() == (False, False)


def test_a_file_that_the_teacher_renames_is_no_other_work(classroom, put, right):
    folder = put("ada", right, file=f"{NAME} (1).ipynb")
    assert grade() == 0
    by_hand(classroom, "ada", 2, "very good")
    assert grade() == 0
    (folder / f"{NAME} (1).ipynb").rename(folder / f"{NAME}.ipynb")
    (task,) = classroom.tasks([NAME], ["ada"])
    assert not why_not_of_now(task, journal_of(classroom.course), None)
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "False" and table(classroom)["ada"]["score"] == "9.0"
    page = feedback(classroom, "ada").read_text()
    assert "very good" in page and "earlier result" not in page and "was named" not in page


def test_what_an_older_version_called_the_same_work_is_the_same_work(classroom, put, right):
    """It counted in what was odd about the file's name."""
    put("ada", right, file="homework.ipynb")
    assert grade() == 0
    by_hand(classroom, "ada", 2, "very good")
    (task,) = classroom.tasks([NAME], ["ada"])
    submitted = read_submission_of(task)
    older = hashlib.sha256(f"{submitted.mends} {submitted.flags} ".encode() + b"+" + right).hexdigest()
    for path in (classroom.course.classroom / "journal" / NAME).glob("ada.*"):
        path.write_text(path.read_text().replace(content_of(submitted), older))
    as_an_older_version_left_it(classroom)
    assert journal_of(classroom.course).is_of_work_recorded(task)
    assert grade("--force") == 0, "as after an update of the course"
    assert "earlier result" not in feedback(classroom, "ada").read_text()
    assert table(classroom)["ada"]["needs_person"] == "False"


def test_extra_points_and_comments_over_a_later_result_are_pointed_out(classroom, put, right, wrong):
    put("ada", right)
    assert grade() == 0

    def rows(gradebook):
        return gradebook.find_grade("double-minus", NAME, NAME, "ada"), gradebook.find_comment(
            "double", NAME, NAME, "ada"
        )

    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        points, comment = rows(gradebook)
        points.extra_credit, points.needs_manual_grade, comment.manual_comment = 2, False, "What a good idea!"
        gradebook.db.commit()
    for args in ([], ["--force"]):  # the same work
        assert grade(*args) == 0
        assert table(classroom)["ada"]["needs_person"] == "True", "why"
        page = feedback(classroom, "ada").read_text()
        assert "What a good idea!" in page and "earlier result" not in page
        (lesson,) = json.loads((classroom.course.classroom / "report.json").read_text())["lessons"]
        assert "ada" not in lesson["flags"]
    put("ada", wrong)
    for args in ([], ["--force"]):
        assert grade(*args) == 0
        assert feedback(classroom, "ada").read_text().count("Written on an earlier result: What a good idea!") == 1
        (lesson,) = json.loads((classroom.course.classroom / "report.json").read_text())["lessons"]
        assert any("Points that a person set stay" in sentence for sentence in lesson["flags"]["ada"])
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        points, comment = rows(gradebook)
        assert points.needs_manual_grade and points.extra_credit == 2


def test_the_same_notebook_handed_in_once_more_has_its_own_secret(classroom, put, right):
    folder = put("ada", right)
    places = [classroom.course.classroom / place / "ada" / NAME for place in ("autograded", "feedback")]
    for hour, secret in ((10, "first"), (11, "second")):
        (folder / "submission_secret.txt").write_text(secret)
        (folder / "timestamp.txt").write_text(f"2026-03-02 {hour}:00:00 UTC")
        assert grade() == 0
        assert [(place / "submission_secret.txt").read_text() for place in places] == [secret, secret]
        assert f"{hour}:00:00" in (places[1] / "timestamp.txt").read_text()


@pytest.mark.spare
def test_nbgraders_own_pages_know_what_lateness_costs_since_a_person_gave_points(classroom, put, right, monkeypatch):
    (put("ada", right) / "timestamp.txt").write_text("2026-03-03 10:00:00 UTC")
    about = classroom.course.root / "pyproject.toml"
    about.write_text("[tool.course]\nlate_percent_per_day = 10\n")
    assert main(["due", "1", "2026-03-02 10:00"]) == 0 and grade() == 0
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        before = gradebook.find_submission(NAME, "ada").late_submission_penalty
    by_hand(classroom, "ada", 2)
    nbgrader(classroom.course, "generate_feedback", NAME, "--force")
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        lost = gradebook.find_submission(NAME, "ada").late_submission_penalty
    assert 0 < before < lost
    assert f"({lost:g} taken off for lateness)" in feedback(classroom, "ada").read_text()


def set_by_hand(classroom, student, check, points):
    """As Formgrader does."""
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        given = gradebook.find_grade(check, NAME, NAME, student)
        given.manual_score, given.needs_manual_grade = points, False
        gradebook.db.commit()


def feedback(classroom, student):
    return classroom.course.classroom / "feedback" / student / NAME / f"{NAME}.html"


def test_nothing_for_a_written_answer_is_an_answer_of_a_person_too(classroom, put, right):
    put("ada", right)
    assert grade() == 0
    assert "waits for a person" in feedback(classroom, "ada").read_text()
    by_hand(classroom, "ada", 0, "This is not what was asked.")
    assert grade() == 0
    page = feedback(classroom, "ada").read_text()
    assert "graded by hand" in page and "0 of 2" in page and "waits for a person" not in page
    assert "This is not what was asked." in page


@pytest.mark.few(1)
@pytest.mark.parametrize("recorded", [True, False])
def test_of_a_result_without_its_notebook_no_earlier_page_is_handed_back(classroom, put, right, recorded):
    """Autograde that ends by the machine's fault, or is stopped, leaves none."""
    for student in ("ada", "bob"):
        put(student, right)
    assert grade() == 0
    by_hand(classroom, "ada", 1.5, "Say more about the request.")
    ada = Task("ada", NAME, classroom.submitted / "ada" / NAME)
    autograded_path(classroom.course, ada).unlink()
    if not recorded:  # it ended before the gradebook had the result
        journal = journal_of(classroom.course)
        entry = journal.read(ada)
        assert entry is not None
        journal.write(ada, replace(entry, key="another"))
    with pytest.raises(AssertionError, match="ada, 01_sums: the executed notebook is not in the autograded folder"):
        nbgrader(classroom.course, "generate_feedback", NAME, "--force")
    nbgrader(classroom.course, "generate_feedback", NAME, "--force", "--student", "bob")
    note = note_path(classroom.course, "ada", NAME)
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"system": "Moodle", "folder": "Ada_1_assignsubmission_file"}))
    main(["feedback", "1", "--zip", "moodle"])
    assert ("Say more about the request." in feedback(classroom, "ada").read_text()) == recorded
    assert grade() == 0
    assert autograded_path(classroom.course, ada).is_file()
    assert "Say more about the request." in feedback(classroom, "ada").read_text()


@pytest.mark.parametrize("dated", [True, False])
def test_a_zip_of_pages_has_what_a_person_gave_since(classroom, put, right, dated):
    (put("ada", right) / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    assert grade() == 0
    if dated:
        assert main(["due", "1", "2026-12-20"]) == 0
    by_hand(classroom, "ada", 1.5, "Say more about the request.")
    note = note_path(classroom.course, "ada", NAME)
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"system": "Moodle", "folder": "Ada_1_assignsubmission_file"}))
    made = classroom.course.classroom / "pages.zip"
    assert main(["feedback", "1", "--zip", "moodle", "--file", str(made)]) == 0
    with zipfile.ZipFile(made) as opened:
        page = opened.read(opened.namelist()[0]).decode()
    assert "1.5 of 2" in page and "Say more about the request." in page and "waits for a person" not in page


def test_a_zip_of_pages_has_nothing_of_a_gradebook_that_was_put_back(classroom, put, right, capsys):
    put("ada", right)
    assert grade() == 0
    by_hand(classroom, "ada", 2, "Very good.")
    before = classroom.gradebook.read_bytes()
    put("ada", right.replace(b"Because it is so.", b"Something else."))
    assert grade() == 0
    by_hand(classroom, "ada", 0.5, "Not good.")
    assert grade() == 0
    classroom.gradebook.write_bytes(before)
    note = note_path(classroom.course, "ada", NAME)
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"system": "Moodle", "folder": "Ada_1_assignsubmission_file"}))
    made = classroom.course.classroom / "pages.zip"
    assert main(["feedback", "1", "--zip", "moodle", "--file", str(made)]) == 1
    assert "ada: the gradebook's points are of an earlier result" in capsys.readouterr().out
    with zipfile.ZipFile(made) as opened:
        page = opened.read(opened.namelist()[0]).decode()
    assert "0.5 of 2" in page and "Very good." not in page


def test_feedback_is_written_again_only_where_something_of_it_has_changed(classroom, put, right, wrong):
    put("ada", right)
    put("bob", wrong)
    assert grade() == 0
    before = {student: feedback(classroom, student).stat().st_ino for student in ("ada", "bob")}
    by_hand(classroom, "bob", 2)
    assert grade() == 0
    after = {student: feedback(classroom, student).stat().st_ino for student in ("ada", "bob")}
    assert before["ada"] == after["ada"] and before["bob"] != after["bob"]
    feedback(classroom, "ada").unlink()
    assert grade() == 0 and feedback(classroom, "ada").is_file()


def test_an_answer_that_a_person_graded_is_not_said_to_wait_when_it_is_graded_again(classroom, put, right, capsys):
    put("ada", right)

    def said():
        capsys.readouterr()
        assert grade("--force") == 0
        return next(line for line in capsys.readouterr().out.splitlines() if "ada · " in line)

    assert "2 waiting" in said()
    by_hand(classroom, "ada", 1.5)
    assert "waiting" not in said()
    put("ada", right.replace(b"Because it is so.", b"Something else."))
    assert "2 waiting" in said(), "the answer may be another one"


def test_a_run_in_which_nothing_changed_changes_nothing(classroom, put, right, capsys):
    """A run that writes feedback, where points by hand and an odd time stand, has the tables of any other run."""
    put("ada", right)
    (put("cyd", right) / "timestamp.txt").write_text("2001-01-01 10:00:00 UTC")
    assert grade() == 0
    by_hand(classroom, "ada", 1.5)
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        check = gradebook.find_grade("double-two", NAME, NAME, "ada")
        check.manual_score, check.needs_manual_grade = 0.5, False
        gradebook.db.commit()
    found = []
    for _ in range(2):
        capsys.readouterr()
        assert grade() == 0
        files = ("grades.csv", "grades.json", "report.html", "report.json")
        written = [(classroom.course.classroom / name).read_text() for name in files]
        found.append([*written, capsys.readouterr().out])
    assert found[0] == found[1]
    rows = table(classroom)
    assert (rows["ada"]["score"], rows["ada"]["checks_score"]) == ("7.0", "7"), "points by hand are in the first"
    assert "5.5 of 7 points in checks; 1.5 of 2 for written answers" in feedback(classroom, "ada").read_text()
    ada = next(line for line in found[1][-1].splitlines() if "ada · " in line)
    assert "7 of 7 in checks" in ada and "waiting" not in ada, "it was graded"
    (lesson,) = json.loads(found[1][3])["lessons"]
    assert list(lesson["flags"]) == ["cyd"] and "who wrote that time?" in lesson["flags"]["cyd"][0]


def test_extra_credit_is_in_the_feedback_too(classroom, put, right):
    put("ada", right)
    put("bob", right)
    assert grade() == 0
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        for student, name in (("ada", "double-two"), ("bob", "why")):
            gradebook.find_grade(name, NAME, NAME, student).extra_credit = 3
        gradebook.db.commit()
    assert {who: one.by_hand for (who, _), one in in_book(classroom.course).items()} == {"ada": True, "bob": False}
    for _ in ("as it is in the gradebook", "recorded again"):
        assert grade() == 0
        assert float(table(classroom)["ada"]["score"]) == 10
        assert "Score now: 10 of 9." in feedback(classroom, "ada").read_text()
        page = feedback(classroom, "bob").read_text()
        assert "Score now: 7 of 9." in page and "waits for a person" in page, "nbgrader adds it to points only"
        journal = journal_of(classroom.course)
        for student in ("ada", "bob"):
            journal.note(Task(student, NAME, classroom.submitted / student / NAME), Recorded())


def test_points_by_hand_of_a_notebook_that_could_not_be_read_count(classroom, put, right):
    put("ada", right)
    put("dan", b'{"cells": [')
    assert grade() == 0
    by_hand(classroom, "dan", 2)
    assert grade() == 0
    whole = json.loads((classroom.course.classroom / "report.json").read_text())
    cell = whole["grid"]["dan"][NAME]
    assert cell["said"] == "2 of 9" and "not readable" in cell["mark"]
    assert whole["lessons"][0]["scores"] == {"ada": 7, "dan": 2} and whole["lessons"][0]["unreadable"] == []


@pytest.mark.parametrize("raw", [b'{"cells": [', None], ids=["a file that is cut off", "an emptied folder"])
def test_points_by_hand_of_an_earlier_file_do_not_make_one_count_that_cannot_be_read(
    classroom, put, right, capsys, raw
):
    put("ada", right)
    put("bob", right)
    assert grade() == 0
    by_hand(classroom, "ada", 2)
    (classroom.submitted / "ada" / NAME / f"{NAME}.ipynb").unlink()
    put("ada", raw)
    capsys.readouterr()
    for points in (None, 1):
        if points is not None:  # now a person has seen it
            by_hand(classroom, "ada", points)
        assert grade() == 0
        whole = json.loads((classroom.course.classroom / "report.json").read_text())
        expected = {"bob": 7} if points is None else {"ada": 1, "bob": 7}
        assert whole["lessons"][0]["scores"] == expected
        assert (whole["grid"]["ada"][NAME]["said"] == "1 of 9") == (points is not None)
        capsys.readouterr()
        assert main(["export"]) == 0
        rows = list(csv.reader((classroom.course.classroom / "export-csv.csv").read_text().splitlines()))
        assert rows[1][3] == ("" if points is None else "1")
        said = capsys.readouterr().out
        assert ("cannot be read, so the cell is empty" in said) == (points is None and raw is not None)


def test_a_late_penalty_is_taken_off_and_said(classroom, put, right):
    settings = classroom.course.config / "nbgrader_config.py"
    settings.write_text(settings.read_text() + '\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    (put("ada", right) / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    (put("bob", right) / "timestamp.txt").write_text("2026-03-02 08:00:00 UTC")
    assert grade() == 0
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=datetime(2026, 3, 2, 9))
        gradebook.db.commit()
    assert grade() == 0
    rows = table(classroom)
    assert {student: float(row["score"]) for student, row in rows.items()} == {"ada": 0, "bob": 7}
    assert rows["ada"]["checks_score"] == "7" and rows["ada"]["handed_in"] == "2026-03-02 10:00:00"
    page = feedback(classroom, "ada").read_text()
    assert "Score now: 0 of 9 (7 taken off for lateness)" in page


def test_tables_have_the_whole_class_whatever_part_was_graded(classroom, put, right, wrong):
    put("ada", right)
    put("bob", wrong)
    assert grade() == 0
    assert grade("1", "--student", "ada", "--force") == 0
    assert {student: float(row["score"]) for student, row in table(classroom).items()} == {"ada": 7, "bob": 6}


@pytest.mark.parametrize("roster", ["", "id,name\nada,Ada\nbob,Bob\n"], ids=["nobody is listed", "roster"])
def test_whose_folder_is_gone_stays_in_the_tables_as_in_the_gradebook(classroom, put, right, wrong, capsys, roster):
    put("ada", right)
    folder = put("bob", wrong)
    put("cyd", None)
    (classroom.course.classroom / "roster.csv").write_text(roster)
    assert grade() == 0
    by_hand(classroom, "bob", 2)
    shutil.rmtree(folder)  # archived, or on a disk that is not there
    shutil.rmtree(classroom.submitted / "cyd")
    capsys.readouterr()
    assert grade() == 0
    assert "8 of 9 !" in capsys.readouterr().out
    rows = table(classroom)
    assert rows["bob"]["score"] == "8.0" and rows["bob"]["needs_person"] == "False" and "cyd" not in rows
    assert "No longer in classroom/submitted/, but still in the gradebook" in rows["bob"]["remarks"]
    overview = json.loads((classroom.course.classroom / "report.json").read_text())
    (lesson,) = overview["lessons"]
    assert lesson["scores"] == {"ada": 7, "bob": 8} and lesson["missing"] == [] and lesson["mean"] == 7.5
    assert overview["students"] == ["ada", "bob"]
    assert grade("--student", "ada") == 0 and table(classroom)["bob"]["score"] == "8.0"


def test_a_result_of_a_lesson_that_has_changed_since_says_so(classroom, put, right, capsys):
    for student in ("ada", "bob"):
        put(student, right)
    assert grade() == 0
    by_hand(classroom, "bob", 2)
    source = classroom.course.source(NAME)
    source.write_text(SOURCE.replace('hidden="halve-odd" points=3', 'hidden="halve-odd" points=6'))
    build(classroom.course)
    assert grade("--student", "ada") == 0
    rows = table(classroom)
    assert [rows[who]["score"] for who in ("ada", "bob")] == ["10.0", "9.0"]
    assert "Since this was graded, the lesson" in rows["bob"]["remarks"] and rows["bob"]["needs_person"] == "False"
    (lesson,) = json.loads((classroom.course.classroom / "report.json").read_text())["lessons"]
    assert "Since this was graded, the lesson" in lesson["flags"]["bob"][0] and list(lesson["flags"]) == ["bob"]
    capsys.readouterr()
    assert main(["export"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "since this was graded, so these points may change: bob (01_sums)." in said
    assert grade() == 0 and "Since this was graded, the lesson" not in table(classroom)["bob"]["remarks"]
    capsys.readouterr()
    assert main(["export"]) == 0 and "since this was graded" not in capsys.readouterr().out
    classroom.course.solution_notebook(NAME).unlink()
    assert main(["export"]) == 0 and "since this was graded" not in capsys.readouterr().out, "nobody knows"


def test_a_first_result_that_was_never_recorded_is_no_earlier_one(classroom, put, right, wrong):
    """As a grader leaves it that was killed between the journal and the gradebook."""
    put("ada", right)
    put("bob", wrong)
    assert grade() == 0
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.remove_submission(NAME, "bob")
    (classroom.course.classroom / "journal" / NAME / "bob.recorded").unlink()
    assert grade("1", "--student", "ada") == 0
    assert (table(classroom)["bob"]["score"], table(classroom)["bob"]["remarks"]) == ("", "Handed in, not graded yet.")


def test_no_worker_is_no_default(classroom, put, right, capsys):
    put("ada", right)
    assert grade("--workers", "0") == 2
    assert "--workers 0 grades nothing" in capsys.readouterr().err


def test_files_are_open_for_as_many_workers_as_there_are(monkeypatch):
    limits = [(256, 1024)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.append(new))
    monkeypatch.setattr(os, "cpu_count", lambda: 96)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=1 << 40))
    assert workers_here(4) == 4 and limits[-1] == (256, 1024)
    assert workers_here(None) == 28 and limits[-1] == (1024, 1024)
    with pytest.raises(CourseError, match="--workers 29 needs 1056 open files.*28 at most"):
        workers_here(29)
    limits.append((1024, resource.RLIM_INFINITY))
    assert workers_here(None) == 96 and limits[-1] == (3200, resource.RLIM_INFINITY)


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "soon"])
def test_a_time_in_which_nothing_can_be_done_is_refused(classroom, put, right, limit, capsys):
    put("ada", right)
    with pytest.raises(SystemExit):
        grade("--timeout", limit)
    assert f"{limit!r} grades nothing" in capsys.readouterr().err


def test_a_result_of_less_time_does_not_stay(classroom, put, right, wrong, capsys):
    slow = right.replace(b"Because it is so.", b"# slow")
    put("ada", slow)
    assert grade("--timeout", "0.001") == 0
    assert float(table(classroom)["ada"]["score"]) < 7
    assert grade() == 0
    assert float(table(classroom)["ada"]["score"]) == 7 and "unchanged" not in capsys.readouterr().out
    put("bob", wrong)
    assert grade("--timeout", "120") == 0
    capsys.readouterr()
    assert grade() == 0, "what was made with more time, or without loss, stays"
    assert capsys.readouterr().out.count("unchanged") == 2


def test_a_result_of_the_same_work_that_could_not_be_recorded_is_recorded_next_time(classroom, put, right, monkeypatch):
    """Its key is that of the result before it, which had been recorded."""
    put("ada", right.replace(b"Because it is so.", b"# slow"))
    assert grade("--timeout", "0.001") == 0
    with monkeypatch.context() as patched:
        patched.setattr(recording, "_record", lambda *_: 1 / 0)
        assert grade() == 1
    assert grade() == 0
    row = table(classroom)["ada"]
    assert (row["score"], row["checks_score"]) == ("7.0", "7")


def test_of_notebooks_beside_the_one_that_is_graded_a_person_hears(classroom, put, sums, right, wrong):
    """Who works in JupyterLab's copy of a lesson hands the whole folder in, with the untouched lesson."""
    run = nbformat.reads(sums.release_text, as_version=4)
    run.cells.append(nbformat.v4.new_code_cell())  # as JupyterLab does below the last cell that was run
    noted = nbformat.from_dict(copy.deepcopy(run))
    stub = next(cell for cell in noted.cells if cell.metadata.get("course", {}).get("role") == "solution")
    stub.source += "\n# I work on this in the copy"
    copies = {"ada": (nbformat.writes(run).encode(), right), "bob": (wrong, right), "eve": (right, None)}
    copies |= {"joe": (nbformat.writes(noted).encode(), right), "kim": (right[:500], right)}
    for student, (named, beside) in copies.items():
        put(student, named)
        put(student, beside, f"{NAME}-Copy1.ipynb")
    assert grade() == 0
    rows = table(classroom)
    said = f"Only {NAME}.ipynb was graded. Beside it lies '{NAME}-Copy1.ipynb'."
    assert said in rows["ada"]["remarks"] and "see which one is meant" in rows["ada"]["remarks"]
    assert said in rows["joe"]["remarks"] and "see which one is meant" in rows["joe"]["remarks"]
    assert "Only" not in rows["kim"]["remarks"] and "see which one is meant" in rows["kim"]["remarks"]
    assert said in rows["bob"]["remarks"] and "Only" not in rows["eve"]["remarks"]
    (classroom.submitted / "ada" / NAME / f"{NAME}-Copy1.ipynb").unlink()
    assert grade() == 0 and "Only" not in table(classroom)["ada"]["remarks"]


@pytest.mark.spare
def test_who_has_left_is_said_to_be_gone_and_not_to_wait_for_a_grader(classroom, put, right):
    for student in ("ada", "bob"):
        put(student, right)
    assert grade() == 0
    shutil.rmtree(classroom.submitted / "ada")
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.remove_student("ada")
    with pytest.raises(AssertionError, match="has left the class. Remove it from the autograded folder"):
        nbgrader(classroom.course, "generate_feedback", NAME, "--force")
    assert feedback(classroom, "bob").is_file()


@pytest.mark.spare
def test_a_page_of_nbgraders_does_not_make_a_result_recorded_that_was_not(classroom, put, right, monkeypatch):
    put("ada", right)
    assert grade() == 0
    by_hand(classroom, "ada", 2, "Very good")
    put("ada", right.replace(b"Because it is so.", b"Something else."))
    with monkeypatch.context() as patched:
        patched.setattr(recording, "_record", lambda *_: 1 / 0)
        assert grade() == 1
    page = feedback(classroom, "ada").read_text()
    with pytest.raises(AssertionError, match="the result is not in the gradebook yet"):
        nbgrader(classroom.course, "generate_feedback", NAME, "--force")
    assert not feedback(classroom, "ada").is_file() or feedback(classroom, "ada").read_text() == page
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "True", "the points are of the answer before"
    page = feedback(classroom, "ada").read_text()
    assert "Written on an earlier result: Very good" in page and "this answer waits to be read" in page


def test_a_gradebook_that_was_put_back_from_a_copy_gets_the_journals_results(classroom, put, right, wrong):
    put("ada", wrong)
    assert grade() == 0
    before = classroom.gradebook.read_bytes()
    put("ada", right)
    assert grade() == 0 and table(classroom)["ada"]["score"] == "7.0"
    classroom.gradebook.write_bytes(before)
    by_hand(classroom, "ada", 2, "Very good")
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "True", "the points are of the work of before"
    assert "Written on an earlier result: Very good" in feedback(classroom, "ada").read_text()
    by_hand(classroom, "ada", None)
    assert grade() == 0
    assert (table(classroom)["ada"]["score"], in_gradebook(classroom, "ada")[0]) == ("7.0", 7)


def test_a_gradebook_that_was_put_back_knows_of_which_work_its_points_are(classroom, put, right):
    """Also where the checks gave the same points to both, and whoever else's results are recorded meanwhile."""
    put("ada", right)
    assert grade() == 0
    by_hand(classroom, "ada", 2, "Very good")
    before = classroom.gradebook.read_bytes()
    put("ada", right.replace(b"Because it is so.", b"Something else."))
    put("bob", right)
    assert grade() == 0
    by_hand(classroom, "ada", 0.5, "Not good")
    assert grade() == 0 and table(classroom)["ada"]["needs_person"] == "False"
    classroom.gradebook.write_bytes(before)
    assert UNRECORDED in answer_of(classroom, "ada").flags, "nor does the page of written answers take them for these"
    assert grade("--student", "bob") == 0
    assert "not graded or not recorded yet" in table(classroom)["ada"]["remarks"]
    assert grade() == 0 and UNRECORDED not in answer_of(classroom, "ada").flags
    assert "not recorded yet" not in table(classroom)["ada"]["remarks"]
    assert table(classroom)["ada"]["needs_person"] == "True", "the points are of the work of before"
    page = feedback(classroom, "ada").read_text()
    assert "Written on an earlier result: Very good" in page and "this answer waits to be read" in page
    put("ada", right)
    classroom.gradebook.write_bytes(before)
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "False", "they are of this very work"
    assert "Written on an earlier result" not in feedback(classroom, "ada").read_text()


def answer_of(classroom, student):
    """As *Written answers* shows it."""
    with opened(classroom.course) as gradebook:
        shown = answers(classroom.course, gradebook, question(classroom.course, NAME, "why"))
    return next(answer for answer in shown.answers if answer.student == student)


def test_points_by_hand_for_a_check_of_other_work_wait_in_a_gradebook_that_was_put_back(classroom, put, sums):
    """The checks' sum is the same for both."""

    def work(**answers):
        zero = {name: f"def {name}(x):\n    return 0\n" for name in ("double", "halve")}
        return submission(sums, reference_answers(sums) | zero | answers)

    put("ada", work(double="def double(x):\n    return -abs(2 * x)\n"))
    assert grade() == 0
    set_by_hand(classroom, "ada", "double-two", 2)
    before = classroom.gradebook.read_bytes()
    put("ada", work(halve="def halve(x):\n    return x // 2\n"))
    assert grade() == 0
    classroom.gradebook.write_bytes(before)
    assert grade() == 0
    rows = in_gradebook(classroom, "ada")[2]
    assert rows["double-two"] == (0, 2, True), "somebody has to look whether this work deserves them"
    report = journal_of(classroom.course).report(Task("ada", NAME, classroom.submitted / "ada" / NAME))
    assert {check.name: check.points for check in report.checks} == {name: row[0] for name, row in rows.items()}


def as_an_older_version_left_it(classroom):
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.db.execute(sqlalchemy.text("DROP TABLE course_made_of"))
        gradebook.db.commit()
    path = classroom.course.classroom / "journal" / NAME / "ada.recorded"
    noted = json.loads(path.read_text())
    del noted["in_book"]
    path.write_text(json.dumps(noted))


def test_what_an_older_version_recorded_keeps_its_grades_by_hand(classroom, put, right):
    """It noted nothing in the gradebook of what it recorded."""
    put("ada", right)
    assert grade() == 0
    by_hand(classroom, "ada", 2, "Very good")
    as_an_older_version_left_it(classroom)
    before = classroom.gradebook.read_bytes()
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "False"
    assert "Written on an earlier result" not in feedback(classroom, "ada").read_text()
    put("ada", right.replace(b"Because it is so.", b"Something else."))
    assert grade() == 0
    by_hand(classroom, "ada", 0.5)
    classroom.gradebook.write_bytes(before)
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "True", "the points are of the work of before"


def test_what_a_person_let_stand_waits_for_nobody_where_only_a_due_date_has_changed(classroom, put, right):
    (put("ada", right) / "timestamp.txt").write_text("2001-01-01 10:00:00 UTC")  # older than the file: it is flagged
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "True"
    by_hand(classroom, "ada", 1.5)
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        for row in gradebook.find_submission_notebook(NAME, NAME, "ada").grades:
            row.needs_manual_grade = False  # as Formgrader does with each that is saved
        gradebook.db.commit()
    assert main(["due", "1", "2026-03-04 09:00"]) == 0 and grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "False"


def test_points_by_hand_wait_for_nobody_where_only_a_due_date_has_changed(classroom, put, right, wrong):
    (put("ada", right) / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    assert grade() == 0
    by_hand(classroom, "ada", 1.5)
    assert main(["due", "1", "2026-03-04 09:00"]) == 0 and grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "False"
    put("ada", wrong)
    assert grade() == 0
    assert table(classroom)["ada"]["needs_person"] == "True", "the answer may be another one"


def test_where_the_grader_fails_points_by_hand_stay_in_the_tables_and_the_failure_is_not_forgotten(
    classroom, put, right, wrong, monkeypatch
):
    from autograder.classroom import grade_task as module

    def fails(*_):
        raise MemoryError("no memory")

    put("ada", right)
    put("bob", right)
    assert grade() == 0
    by_hand(classroom, "ada", 1.5)
    put("ada", wrong)
    with monkeypatch.context() as patched:
        patched.setattr(module, "grade_submission", fails)
        assert grade() == 1
    row = table(classroom)["ada"]
    assert float(row["score"]) == 8.5 and row["needs_person"] == "True"
    assert "The points are of what was handed in before." in row["remarks"]
    assert grade("--student", "bob") == 0
    row = table(classroom)["ada"]
    assert float(row["score"]) == 8.5 and row["needs_person"] == "True"
    assert "Something else was handed in, and is not graded or not recorded yet." in row["remarks"]
    assert grade() == 0
    assert "not graded yet" not in table(classroom)["ada"]["remarks"]


def test_a_time_of_a_learners_own_making_is_pointed_out(classroom, put, right):
    (put("ada", right) / "timestamp.txt").write_text("2001-01-01 10:00:00 UTC")
    folder = put("bob", right)
    (folder / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    os.utime(folder / f"{NAME}.ipynb", (1_700_000_000, 1_700_000_000))  # saved in 2023, handed in later
    assert grade() == 0
    (lesson,) = json.loads((classroom.course.classroom / "report.json").read_text())["lessons"]
    assert list(lesson["odd_times"]) == ["ada"] and "2001-01-01 10:00" in lesson["odd_times"]["ada"]
    assert "who wrote that time?" in (classroom.course.classroom / "report.html").read_text()
    pages = {who: (classroom.course.classroom / "feedback" / who / NAME / f"{NAME}.html") for who in ("ada", "bob")}
    assert ["who wrote that time?" in page.read_text() for page in pages.values()] == [True, False]
    assert "who wrote that time?" in table(classroom)["ada"]["remarks"]
    os.utime(classroom.submitted / "ada" / NAME / f"{NAME}.ipynb", (978_300_000, 978_300_000))
    assert grade() == 0  # nothing is graded again, and the page is true again
    assert "who wrote that time?" not in pages["ada"].read_text()


def test_a_grader_killed_before_recording_records_next_time(classroom, put, right):
    put("ada", right)
    assert grade() == 0
    classroom.gradebook.unlink()  # as if it had died after the run: the journal has it, the gradebook has not
    journal_of(classroom.course).note(Task("ada", NAME, classroom.submitted), Recorded())
    assert grade() == 0
    assert in_gradebook(classroom, "ada")[0] == 7


def test_a_damaged_journal_entry_is_graded_again(classroom, put, right):
    put("ada", right)
    assert grade() == 0
    path = classroom.course.classroom / "journal" / NAME / "ada.json"
    path.write_text(path.read_text()[:100])
    assert grade() == 0
    assert json.loads(path.read_text())["report"]["lesson"] == NAME


def test_what_the_journal_lost_stays_in_the_tables_of_a_run_for_another(classroom, put, right):
    """The gradebook has the points, and so does what is exported; the next run for all grades it again."""
    put("ada", right)
    put("bob", right)
    assert grade() == 0
    path = classroom.course.classroom / "journal" / NAME / "ada.json"
    path.write_text(path.read_text().replace('"report"', '"another version"'))
    assert grade("--student", "bob") == 0
    row = table(classroom)["ada"]
    assert row["score"] == "7.0" and "own notes of this result cannot be read" in row["remarks"]
    overview = json.loads((classroom.course.classroom / "report.json").read_text())
    assert overview["lessons"][0]["scores"] == {"ada": 7.0, "bob": 7.0}
    assert grade() == 0 and table(classroom)["ada"]["remarks"] == ""


def test_what_lacked_a_package_is_graded_again_once_it_may_be_there(
    classroom, put, right, sums, capsys, tmp_path, monkeypatch
):
    lacking = "import not_installed_yet.part\ndef double(x):\n    return 2 * x"
    put("ada", submission(sums, reference_answers(sums) | {"double": lacking}))
    put("bob", right)
    assert grade() == 0 and "not_installed_yet" in table(classroom)["ada"]["remarks"]
    assert _unchanged(capsys) == set()
    assert grade() == 0
    assert _unchanged(capsys) == {"ada", "bob"}, "nothing is here that was not"
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "not_installed_yet.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    assert grade() == 0
    assert _unchanged(capsys) == {"bob"}
    assert grade() == 0
    assert _unchanged(capsys) == {"ada", "bob"}, "what is here is not missing, whatever a cell says"


def _unchanged(capsys):
    said = capsys.readouterr().out.splitlines()
    return {line.split()[1] for line in said if " · unchanged" in line}


def test_who_guesses_and_says_that_a_package_is_missing_does_not_guess_again(classroom, put, sums, capsys):
    """Be it one that is nowhere, or one that is here: an error that a cell raises by itself says nothing of either."""
    guess = "import os\ndef halve(x):\n    return os.urandom(8)\nraise {}"
    for who, error in {
        "ada": "ModuleNotFoundError(\"No module named 'torch_or_so'\")",
        "bob": "ImportError(\"No module named 'numpy'\")",
        "cyd": "ImportError(\"cannot import name 'so' from 'numpy'\")",
        "dan": "ImportError(\"No module named '.'\")",
    }.items():
        put(who, submission(sums, reference_answers(sums) | {"halve": guess.format(error)}))
    assert grade() == 0
    assert all("does not work on this machine" in row["remarks"] for row in table(classroom).values())
    assert _unchanged(capsys) == set()
    assert grade() == 0
    assert _unchanged(capsys) == {"ada", "bob", "cyd", "dan"}


def test_what_a_person_resolved_stays_resolved_where_a_package_is_missing(classroom, put, sums):
    """Formgrader's button for that leaves the points as they are."""
    lacking = "import not_installed_anywhere\ndef double(x):\n    return 2 * x"
    put("ada", submission(sums, reference_answers(sums) | {"double": lacking, "why": ""}))
    assert grade() == 0 and table(classroom)["ada"]["needs_person"] == "True"
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        for row in gradebook.find_submission_notebook(NAME, NAME, "ada").grades:
            row.needs_manual_grade = False
        gradebook.db.commit()
    assert grade() == 0
    assert not any(waits for _, _, waits in in_gradebook(classroom, "ada")[2].values())


def test_what_was_graded_without_walls_is_graded_again_with_them(classroom, put, right, monkeypatch):
    put("ada", right)
    assert grade("--unsafe") == 0
    task = Task("ada", NAME, classroom.submitted / "ada" / NAME)
    notes = [journal_of(classroom.course).report(task).notes]
    assert grade("--unsafe") == 0
    notes.append(journal_of(classroom.course).report(task).notes)
    assert grade() == 0
    notes.append(journal_of(classroom.course).report(task).notes)
    assert [UNSAFE in each for each in notes] == [True, True, not probe().works]


def test_what_was_graded_without_walls_is_graded_again_on_a_cluster(classroom, put, right):
    def on_a_worker(submission, lesson, options):
        asked.append(lesson.name)
        return grade_submission(submission, lesson, options)

    asked = []
    put("ada", right)
    assert grade("--unsafe") == 0
    (task,) = classroom.tasks([NAME], ["ada"])
    lessons = {NAME: read_lesson(classroom.course, NAME)}
    for _ in range(2):
        Grader(classroom, lessons, Options(), 1, grade_function=on_a_worker).grade([task])
    assert asked == [NAME], "once, and then it is unchanged"


def test_a_changed_test_grades_again_and_a_new_check_needs_a_new_gradebook(classroom, put, right, capsys):
    put("ada", right)
    assert grade() == 0
    source = classroom.course.source(NAME)
    source.write_text(SOURCE.replace("assert got == 4", "assert got == 5"))
    build(classroom.course)
    assert grade() == 0
    assert in_gradebook(classroom, "ada")[2]["double-two"][0] == 0
    source.write_text(SOURCE.replace('check="halve-four" points=1', 'check="halve-new" points=1'))
    build(classroom.course)
    capsys.readouterr()
    assert grade() == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "Keep the old gradebook under another name" in said and "start `course teacher` anew" in said


@pytest.mark.few(1)
@pytest.mark.parametrize("generated", [False, True], ids=["course grade", "nbgrader's Generate first"])
def test_points_by_hand_wait_again_where_what_they_are_for_is_worth_another_number_of_points(
    classroom, put, right, wrong, capsys, generated
):
    put("ada", right)
    put("bob", wrong)
    assert grade() == 0
    by_hand(classroom, "ada", 2)
    set_by_hand(classroom, "bob", "double-minus", 1)
    assert grade() == 0 and table(classroom)["ada"]["needs_person"] == "False"
    source = classroom.course.source(NAME)
    source.write_text(SOURCE.replace('written="why" points=2', 'written="why" points=1'))
    build(classroom.course)
    if generated:
        nbgrader(classroom.course, "generate_assignment", NAME, "--force")
    assert grade() == 0 and in_gradebook(classroom, "ada")[:2] == (9, 8)
    assert table(classroom)["ada"]["needs_person"] == "True"
    assert "waits to be read" in feedback(classroom, "ada").read_text()
    assert in_gradebook(classroom, "bob")[2]["double-minus"] == (0, 1, False), "it is worth what it was"
    capsys.readouterr()
    assert main(["export"]) == 0
    assert f"Something still waits for a person, so these points may change: ada ({NAME})" in capsys.readouterr().out
    assert grade("--force") == 0 and table(classroom)["ada"]["needs_person"] == "True", "nobody has looked since"
    by_hand(classroom, "ada", 1)
    assert grade("--force") == 0 and table(classroom)["ada"]["needs_person"] == "False"
    source.write_text(SOURCE.replace('hidden="double-minus" points=1', 'hidden="double-minus" points=4'))
    build(classroom.course)
    assert grade() == 0 and in_gradebook(classroom, "bob")[2]["double-minus"] == (0, 1, True)
    assert table(classroom)["bob"]["needs_person"] == "True"


def test_a_gradebook_that_is_put_back_from_before_a_lesson_changed_learns_its_checks(classroom, put, right, capsys):
    put("ada", right)
    assert grade() == 0
    before = classroom.gradebook.read_bytes()
    source = classroom.course.source(NAME)
    source.write_text(SOURCE.replace('hidden="halve-odd" points=3', 'hidden="halve-odd" points=6'))
    build(classroom.course)
    assert grade() == 0 and in_gradebook(classroom, "ada")[:2] == (10, 12)
    classroom.gradebook.write_bytes(before)
    assert grade() == 0 and in_gradebook(classroom, "ada")[:2] == (10, 12)
    new = """# %% hidden="double-zero" points=5
assert double(0) == 0, "asked:    double(0)\\nlikely:   no"

# %% hidden="double-minus" points=1"""
    source.write_text(SOURCE.replace('# %% hidden="double-minus" points=1', new))
    build(classroom.course)
    classroom.gradebook.unlink()
    assert grade() == 0 and in_gradebook(classroom, "ada")[:2] == (12, 14)
    classroom.gradebook.write_bytes(before)
    capsys.readouterr()
    assert grade() == 2
    assert "a check was added or removed" in capsys.readouterr().err
    assert in_gradebook(classroom, "ada")[:2] == (7, 9), "nothing was touched"


def test_nbgraders_autograde_knows_the_checks_that_are_here_now(classroom, put, right):
    """Also where points have changed; a check that was removed is refused before anything is touched."""
    put("ada", right)
    assert grade() == 0
    source = classroom.course.source(NAME)
    source.write_text(SOURCE.replace('hidden="halve-odd" points=3', 'hidden="halve-odd" points=9'))
    build(classroom.course)
    nbgrader(classroom.course, "autograde", NAME, "--force")
    assert in_gradebook(classroom, "ada")[:2] == (13, 15)
    source.write_text(SOURCE.replace('check="halve-four" points=1', 'check="halve-new" points=1'))
    build(classroom.course)
    page = feedback(classroom, "ada").read_bytes()
    with pytest.raises(AssertionError, match="Keep the old gradebook under another name"):
        nbgrader(classroom.course, "autograde", NAME, "--force")
    assert in_gradebook(classroom, "ada")[:2] == (13, 15) and feedback(classroom, "ada").read_bytes() == page
    assert (classroom.course.classroom / "autograded" / "ada" / NAME / f"{NAME}.ipynb").is_file()


def test_autograde_of_a_lesson_that_is_not_built_touches_nothing(classroom, put, right):
    put("ada", right)
    assert grade() == 0
    classroom.course.solution_notebook(NAME).unlink()
    with pytest.raises(AssertionError, match="does not exist yet"):
        nbgrader(classroom.course, "autograde", NAME, "--force")
    assert (classroom.course.classroom / "autograded" / "ada" / NAME / f"{NAME}.ipynb").is_file()


@pytest.mark.spare
def test_a_class_that_was_copied_by_hard_links_keeps_its_results(classroom, put, right, capsys):
    """As ``cp -al classroom backup`` does: every file has a second name then, and refusing them is no result."""
    (put("ada", right) / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    secret = classroom.submitted / "ada" / NAME / "submission_secret.txt"
    secret.write_text("ada's")
    put("bob", right, file="mine.ipynb")
    put("eve", None)
    put("zoe", b"{")
    assert main(["due", "1", "2026-03-01"]) == 0
    assert grade() == 0
    for student in ("ada", "bob", "zoe"):
        by_hand(classroom, student, 2, "very good")
    assert grade() == 0
    note = note_path(classroom.course, "ada", NAME)
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"system": "Moodle", "folder": "Ada_1_assignsubmission_file"}))
    backup, late = classroom.course.root / "backup", table(classroom)["ada"]["seconds_late"]
    shutil.copytree(classroom.course.classroom, backup, copy_function=os.link)
    put("cyd", right)
    for who in ("dan", "eve"):
        os.link(put(who, right) / f"{NAME}.ipynb", backup / f"{who}.ipynb")
    assert main(
        ["export", "--zero"]
    ) == 0 and "not graded yet, so the cell is empty: cyd (01_sums), dan (01_sums), eve" in (
        " ".join(capsys.readouterr().out.split())
    )
    assert grade() == 1 and "a hard link); put a copy in its place" in " ".join(capsys.readouterr().out.split())
    rows = table(classroom)
    assert [rows[who]["score"] for who in ("ada", "bob", "cyd", "dan", "eve")] == ["9.0", "9.0", "7.0", "0.0", "0.0"]
    assert "no result" in rows["ada"]["remarks"] and "could not be read: it is a file that" in rows["dan"]["remarks"]
    by_hand(classroom, "dan", 1)
    assert grade() == 1 and grade("--student", "cyd") == 0, "what a person settled waits no more"
    row = table(classroom)["dan"]
    assert "read before" not in row["remarks"], row["remarks"]
    assert main(["feedback", "1", "--zip", "moodle"]) == 1, "its pages and notes are the grader's own"
    said = nbgrader(classroom.course, "generate_feedback", NAME, "--force")
    assert "hard link" not in said and feedback(classroom, "ada").with_name(secret.name).read_text() == "ada's"
    with pytest.raises(AssertionError, match="what was autograded before stays"):
        nbgrader(classroom.course, "autograde", NAME, "--force")
    assert autograded_path(classroom.course, Task("ada", NAME, classroom.submitted / "ada" / NAME)).is_file()
    work = classroom.submitted / "ada" / NAME / f"{NAME}.ipynb"
    shutil.copy(work, work.with_suffix(".new"))
    work.with_suffix(".new").replace(work)  # as the message says
    assert grade() == 1 and table(classroom)["ada"]["seconds_late"] == late, "a time is read all the same"
    os.link(put("zoe", right) / f"{NAME}.ipynb", backup / "zoe.ipynb")
    assert grade("--student", "cyd") == 0 and "cannot be read now" in table(classroom)["zoe"]["remarks"]
    put("zoe", b"{")
    shutil.rmtree(backup)
    assert grade() == 0 and "hard link" not in str(table(classroom))
    for student in ("ada", "bob", "zoe"):
        page = feedback(classroom, student).read_text()
        assert "very good" in page and "earlier result" not in page


def test_the_graders_own_fault_is_said_stops_nobody_and_is_no_result(classroom, put, right, monkeypatch, capsys):
    from autograder.classroom import grade_task as module

    real = module.grade_submission

    def fails_for_ada(submission, *how):
        if b"# ada" in submission.raw:
            raise ZeroDivisionError("inside the grader")
        return real(submission, *how)

    put("ada", right.replace(b"Because it is so.", b"# ada"))
    put("bob", right)
    with monkeypatch.context() as patched:
        patched.setattr(module, "grade_submission", fails_for_ada)
        assert grade() == 1
    rows = table(classroom)
    assert float(rows["bob"]["score"]) == 7
    assert "grader itself failed" in rows["ada"]["remarks"] and rows["ada"]["needs_person"] == "True"
    assert "– !" in capsys.readouterr().out, "no points are shown for ada"
    assert grade() == 0, "nothing that the grader itself caused is kept as a result"
    assert float(table(classroom)["ada"]["score"]) == 7


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("file", "number"),
    [
        (f"{NAME}.ipynb", errno.EMFILE),
        ("timestamp.txt", errno.EMFILE),
        (f"{NAME}.ipynb", errno.EACCES),
        (f"{NAME}.ipynb", errno.ENOENT),
        (f"{NAME}.ipynb", errno.ENOTCONN),
    ],
)
def test_what_the_machine_refuses_to_read_is_no_result(classroom, put, right, monkeypatch, file, number):
    """As to a process without a free descriptor, to another account than the one that collected, or where a disk, or
    one folder, was taken away meanwhile."""
    from autograder.classroom import submissions as module

    real = module.read_plain

    def refused(path, *how, **more):
        if path.name == file and path.parent.parent.name == "ada":
            raise OSError(number, os.strerror(number))
        return real(path, *how, **more)

    for student in ("ada", "bob"):
        (put(student, right) / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    assert grade() == 0
    by_hand(classroom, "ada", 2, "very good")
    before = in_gradebook(classroom, "ada")
    with monkeypatch.context() as patched:
        patched.setattr(module, "read_plain", refused)
        assert grade() == 1 and grade() == 1, "it stays no result while it is refused"
        row = table(classroom)["ada"]
        assert row["score"] == "9.0" and f"{os.strerror(number)}), so this is no result" in row["remarks"]
        assert "no result" not in table(classroom)["bob"]["remarks"] and in_gradebook(classroom, "ada") == before
        assert grade("--student", "bob") == 0 and table(classroom)["ada"]["score"] == "9.0"
        assert "cannot be read now" in table(classroom)["ada"]["remarks"]
    assert grade() == 0 and in_gradebook(classroom, "ada") == before
    assert "very good" in feedback(classroom, "ada").read_text()
    assert "earlier result" not in feedback(classroom, "ada").read_text()


def nbgrader(course, *arguments):
    folder = os.path.dirname(sys.executable)  # noqa: PTH120
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_PATH": str(course.config),
        "JUPYTER_PLATFORM_DIRS": "1",
        "PATH": os.pathsep.join([folder, os.environ["PATH"]]),
    }
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course.notebooks, env=environment, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_nbgraders_own_commands_go_through_the_same_stages(classroom, put, right, wrong):
    course = classroom.course
    released = course.release_notebook(NAME).read_bytes()
    nbgrader(course, "generate_assignment", NAME, "--force")
    assert course.release_notebook(NAME).read_bytes() == released, "nbgrader and `course build` write the same bytes"
    assert sorted(p.name for p in course.release_notebook(NAME).parent.iterdir()) == [f"{NAME}.ipynb"]
    noisy = submission(
        read_lesson(course, NAME),
        {"double": "import sys\ndef double(x):\n    print(1, file=sys.stderr)\n    return 2 * x"},
    )
    put("ada", right, file="homework.ipynb")
    put("bob", b"{")
    put("dan", wrong)
    put("eve", noisy)
    put("fay", right, file=f"{NAME}.IPYNB")
    nbgrader(course, "autograde", NAME)
    assert {student: in_gradebook(classroom, student)[0] for student in ("ada", "bob", "dan", "eve", "fay")} == {
        "ada": 7, "bob": 0, "dan": 6, "eve": 3, "fay": 7,
    }  # fmt: skip
    assert all(grade[2] for grade in in_gradebook(classroom, "bob")[2].values()), "a person has to look"
    nbgrader(course, "autograde", NAME, "--student", "fay", "--force", "--GradingExporter.unsafe=True")
    nbgrader(course, "generate_feedback", NAME)
    dan, fay = (html.unescape(feedback(classroom, student).read_text()) for student in ("dan", "fay"))
    assert "it takes the absolute value" in dan and "secret = -41" not in dan
    assert UNSAFE in fay and (UNSAFE not in dan or not probe().works)
    by_hand(classroom, "dan", 1.5)
    assert grade() == 0
    row = table(classroom)["dan"]
    assert (row["score"], row["needs_person"]) == ("7.5", "False"), "what a person has graded since stays graded"


def test_there_is_a_sentence_for_each_thing_that_is_not_there(classroom, put, right, capsys):
    def error(*arguments):
        assert main(list(arguments)) == 2
        return capsys.readouterr().err

    assert "course demo" in error("grade")
    classroom.submitted.mkdir(parents=True)
    assert "Nobody has handed in anything" in error("grade")
    put("ada", right)
    assert "no student 'zoe'" in error("grade", "--student", "zoe")
    assert "no lesson '77'" in error("grade", "77")
    (classroom.submitted / "ada" / NAME).rename(classroom.submitted / "ada" / "01_sumz")
    assert "01_sumz is not graded: there is no lesson of that name" in error("grade")


def test_a_folders_name_cannot_make_a_line_of_its_own(classroom, put, right):
    put("ada", right)
    (classroom.submitted / "eve\n✓ bob").mkdir()
    (classroom.submitted / "ada" / "x\n✓ bob").mkdir()
    assert not [sentence for sentence in classroom.strangers() if "\n" in sentence]


def handed_in(folder):
    return read_submission_of(Task("ada", NAME, folder))


def test_a_link_that_the_system_refuses_to_look_at_is_nobody(classroom, put):
    put("ada", b"{")
    (classroom.submitted / "eve").symlink_to("x" * 300)
    assert classroom.students() == ["ada"] and [task.student for task in classroom.everything([NAME])] == ["ada"]


def test_files_of_other_names(tmp_path):
    assert handed_in(tmp_path).raw is None
    with pytest.raises(FileNotFoundError):  # it was there when the class was listed
        handed_in(tmp_path / "none")
    (tmp_path / "a.ipynb").write_bytes(b"a")
    assert handed_in(tmp_path).raw == b"a"
    (tmp_path / "b.ipynb").write_bytes(b"b")
    assert handed_in(tmp_path).raw is None and "2 notebooks" in handed_in(tmp_path).flags[0]
    (tmp_path / "c.ipynb\n✓ eve · 9 of 9.ipynb").touch()
    assert "c.ipynb�✓ eve" in handed_in(tmp_path).flags[0], "a name cannot make a line of its own"
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / "homework.ipynb").write_bytes(b"a")
    (tmp_path / "._homework.ipynb").write_bytes(b"\0\5\x16\7")
    assert handed_in(tmp_path).raw == b"a", "macOS writes the other on foreign disks"
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / "x\n=HYPERLINK(A1&B1)\t.ipynb").touch()
    assert handed_in(tmp_path).mends[0].startswith("The file was named 'x�=HYPERLINK(A1&B1)�.ipynb', not")
    for place in ("/etc/hostname", "x" * 300):
        (tmp_path / f"{NAME}.ipynb").symlink_to(place)
        assert handed_in(tmp_path).raw is None, "a link may lead anywhere"
        (tmp_path / f"{NAME}.ipynb").unlink()
    (tmp_path / f"{NAME}.ipynb").mkdir()
    assert handed_in(tmp_path).raw == b"", "a folder of that name is no notebook"
