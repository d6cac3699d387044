"""``course export`` and ``course feedback``: files in the shape that gradebooks import, on a gradebook made by hand.

What documents each shape: Canvas, ``lib/gradebook_importer.rb`` of instructure/canvas-lms (columns, the line of points,
how people are found); Moodle, ``grade/import/csv`` (any columns, mapped by hand) and, for feedback,
``mod/assign/feedback/file/importziplib.php`` of moodle/moodle.
"""

from __future__ import annotations

import csv
import errno
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.classroom.export import Sums, sums_of
from autograder.classroom.grade import show, without_result, write_tables
from autograder.classroom.gradebook import is_by_hand
from autograder.classroom.journal import Entry, Recorded, journal_of
from autograder.classroom.outcome import Outcome
from autograder.classroom.submissions import Classroom, Task, content_of, note_path, read_submission_of
from autograder.cli import main
from autograder.grading.report import Report
from autograder.paths import Course
from tests.conftest import ROOT
from tests.sql import statements

LESSONS = ("01_sums", "02_lists")
ROSTER = """\
id,name,email,canvas_id,sis_id,login,section,idnumber
ada,Ada King Lovelace,ada@example.org,340934,S1,al1,Monday,n1
bob,Bob,bob@example.org,,,,,
cleo,Cleo Dee,,,,,,
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Course:
    """Two lessons; ada handed in both, =eve the first, bob and cleo none."""
    course = Course(tmp_path_factory.mktemp("export") / "course")
    for lesson in LESSONS:
        course.source(lesson).parent.mkdir(parents=True)
        course.source(lesson).write_text(f"# %% [markdown] minutes=5\n# # Lesson {lesson[:2]} · {lesson[3:].title()}\n")
        for student in ("ada", "=eve") if lesson == "01_sums" else ("ada",):
            folder = course.classroom / "submitted" / student / lesson
            folder.mkdir(parents=True)
            (folder / f"{lesson}.ipynb").write_text("{}")
    course.shared.mkdir()
    course.config.mkdir()
    shutil.copy(ROOT / "autograder" / "nbgrader_config.py", course.config)
    (course.classroom / "roster.csv").write_text(ROSTER)
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
        for lesson in LESSONS:
            book.add_assignment(lesson)
            book.add_notebook(lesson, lesson)
            book.add_grade_cell("check", lesson, lesson, max_score=10, cell_type="code")
        for lesson, student, points in (("01_sums", "ada", 7.5), ("02_lists", "ada", 9), ("01_sums", "=eve", 4)):
            book.update_or_create_student(student)
            book.add_submission(lesson, student)
            grade = book.find_grade("check", lesson, lesson, student)
            grade.auto_score, grade.needs_manual_grade = points, student == "=eve"
        book.db.commit()
    return course


@pytest.fixture
def course(graded, monkeypatch) -> Course:
    monkeypatch.setenv("COURSE_ROOT", str(graded.root))
    return graded


def table(course: Course, name: str) -> list[list[str]]:
    with (course.classroom / name).open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_canvas_gets_its_columns_and_the_points_possible(course, capsys):
    assert main(["export", "--to", "canvas", "--column", "01=Lab 1 (4711)"]) == 0
    rows = table(course, "export-canvas.csv")
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 1 (4711)", "02 Lists"]
    assert rows[1] == ["    Points Possible", "", "", "", "", "10", "10"]
    assert rows[2:] == [
        ["'=eve", "", "", "", "", "4", ""],
        ["Lovelace, Ada King", "340934", "S1", "al1", "Monday", "7.5", "9"],
        ["Bob", "", "", "", "", "", ""],
        ["Dee, Cleo", "", "", "", "", "", ""],
    ]
    said = " ".join(capsys.readouterr().out.split())
    assert "Canvas cannot know who these are (classroom/roster.csv has no canvas_id, sis_id or login): =eve" in said
    assert "Handed in nothing: bob, cleo." in said and "may change: =eve (01_sums)." in said


def test_moodle_gets_addresses_and_numbers(course, capsys):
    assert main(["export", "2", "--to", "moodle", "--zero"]) == 0
    rows = table(course, "export-moodle.csv")
    assert rows[0] == ["First name", "Last name", "ID number", "Email address", "02 Lists"]
    assert ["Ada King", "Lovelace", "n1", "ada@example.org", "9"] in rows
    assert ["", "Bob", "", "bob@example.org", "0"] in rows
    assert "Moodle cannot know who these are (classroom/roster.csv has no email or idnumber): cleo." in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_table_of_everybody_through_nbgraders_own_command(course, tmp_path):
    assert main(["export"]) == 0
    rows = table(course, "export-csv.csv")
    assert rows[0] == ["id", "name", "email", "01 Sums", "02 Lists", "total"]
    assert rows[1] == ["'=eve", "'=eve", "", "4", "", "4"]
    assert rows[2] == ["ada", "Ada King Lovelace", "ada@example.org", "7.5", "9", "16.5"]
    made = nbgrader_export(
        course, tmp_path, "--exporter=autograder.classroom.export.CsvExport", "--to", str(tmp_path / "x.csv")
    )
    assert made == (course.classroom / "export-csv.csv").read_bytes()


@pytest.fixture
def own_course(graded, tmp_path, monkeypatch) -> Course:
    """One in which a test may change the gradebook."""
    shutil.copytree(graded.root, tmp_path / "own")
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path / "own"))
    return Course(tmp_path / "own")


def hand_in(book: Gradebook, student: str, auto=None, manual=None, extra=None, waits=False) -> None:
    """A row of the first lesson, with these grades."""
    book.update_or_create_student(student)
    book.add_submission("01_sums", student)
    grade = book.find_grade("check", "01_sums", "01_sums", student)
    grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade = auto, manual, extra, waits
    book.db.commit()


def test_a_class_is_exported_by_as_many_queries_as_one_learner(own_course):
    counts = []
    for first, last in ((0, 2), (2, 40)):
        with Gradebook(f"sqlite:///{Classroom(own_course).gradebook}") as book:
            for number in range(first, last):
                hand_in(book, f"s{number}", auto=1)
        with statements() as seen:
            assert main(["export"]) == 0
        counts.append(len(seen))
        assert len(table(own_course, "export-csv.csv")) == 1 + 4 + last
    assert counts[1] == counts[0], f"statements for 2 and for 40: {counts}"


def test_points_of_a_row_are_what_nbgraders_own_properties_say(own_course):
    with Gradebook(f"sqlite:///{Classroom(own_course).gradebook}") as book:
        every = itertools.product((None, 0.0, 3.0), (None, 0.0, 2.0), (None, 0.0, 1.5), (False, True))
        for number, about in enumerate(every):
            hand_in(book, f"s{number}", *about)
        found = sums_of(book)
        for submission in book.find_assignment("01_sums").submissions:
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            by_hand = [one for one in grades if is_by_hand(one.auto_score, one.manual_score, one.extra_credit)]
            assert found[submission.id] == Sums(
                submission.score,
                submission.needs_manual_grade,
                bool(by_hand),
                any(one.needs_manual_grade for one in by_hand),
                bool(by_hand) or any(one.auto_score is not None for one in grades),
            )
    assert len(found) == 3 + 54


def test_nobody_else_reads_what_is_written_where_learners_go_through(course):
    """The exchange may lie in the class's folder, for all accounts of the machine."""
    mode = course.classroom.stat().st_mode
    course.classroom.chmod(0o711)
    try:
        assert main(["export"]) == 0
        assert (course.classroom / "export-csv.csv").stat().st_mode & 0o077 == 0
    finally:
        course.classroom.chmod(mode)


@pytest.fixture
def kept(course):
    """``kept(student, lesson, …)`` puts a report into the journal; what it left is taken away afterwards."""

    def keep(student, lesson, **about):
        task = Task(student, lesson, Classroom(course).submitted / student / lesson)
        journal_of(course).write(task, Entry("key", Report(lesson, **about), "{}"))

    yield keep
    shutil.rmtree(course.classroom / "journal", ignore_errors=True)


def cells(course, *arguments):
    """``{id: cells of the lessons}`` of the table of everybody."""
    assert main(["export", *arguments]) == 0
    return {row[0]: row[3:5] for row in table(course, "export-csv.csv")[1:]}


def test_what_cannot_be_read_or_is_not_there_has_no_points(course, kept, capsys):
    kept("ada", "01_sums", readable=False)
    kept("ada", "02_lists")
    kept("=eve", "01_sums", readable=False, handed_in=False)
    found = cells(course)
    assert found["ada"] == ["", "9"] and found["'=eve"] == ["", ""]
    said = " ".join(capsys.readouterr().out.split())
    assert "cannot be read, so the cell is empty: ada (01_sums)." in said
    assert "Handed in nothing: =eve, bob, cleo." in said and "may change" not in said
    found = cells(course, "--zero")
    assert found["ada"] == ["", "9"] and found["'=eve"] == ["0", "0"]
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
        grade = book.find_grade("check", "01_sums", "01_sums", "ada")
        grade.manual_score = 3
        book.db.commit()
        assert cells(course)["ada"] == ["3", "9"], "a person gave points"
        grade.manual_score, grade.extra_credit = None, 2
        book.db.commit()
        assert cells(course)["ada"] == ["9.5", "9"], "a person added points"
        grade.extra_credit = None
        book.db.commit()


@pytest.fixture
def handed_in(course):
    """``handed_in(student, lesson)`` puts a notebook there that nobody has graded; it is taken away afterwards."""
    made = []

    def put(student, lesson):
        folder = Classroom(course).submitted / student / lesson
        folder.mkdir(parents=True)
        made.append(folder)
        (folder / f"{lesson}.ipynb").write_text("{}")

    yield put
    for folder in made:
        shutil.rmtree(folder)
        if not any(folder.parent.iterdir()):
            folder.parent.rmdir()


def test_what_is_not_graded_yet_is_neither_nothing_nor_zero(course, handed_in, capsys):
    handed_in("bob", "01_sums")
    handed_in("=eve", "02_lists")
    found = cells(course, "--zero")
    assert found["bob"] == ["", "0"] and found["'=eve"] == ["4", ""] and found["cleo"] == ["0", "0"]
    said = " ".join(capsys.readouterr().out.split())
    assert "not graded yet, so the cell is empty: =eve (02_lists), bob (01_sums)." in said
    assert "Handed in nothing: cleo." in said
    assert cells(course, "2", "--zero")["bob"] == ["0", "0"], "the other lesson is not asked for"


def test_a_lesson_of_which_nothing_is_graded_has_no_column(course, handed_in, capsys):
    """A due date alone brings a lesson into the gradebook, and `--zero` gave the whole class 0 in it."""
    course.source("03_more").parent.mkdir(parents=True)
    course.source("03_more").write_text("# %% [markdown] minutes=5\n# # Lesson 03 · More\n")
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
        book.add_assignment("03_more")
        assert cells(course, "--zero")["bob"] == ["0", "0"]
        handed_in("bob", "03_more")
        capsys.readouterr()
        assert len(table(course, "export-csv.csv")[0]) == 6 and cells(course)["bob"] == ["", ""]
        said = " ".join(capsys.readouterr().out.split())
        assert "not graded yet, so there is no column: bob (03_more)" in said and "nothing: cleo." in said
        assert cells(course, "3", "--zero")["bob"][0] == "", "it was asked for by its name"
        book.remove_assignment("03_more")
        book.db.commit()
    capsys.readouterr()
    assert cells(course, "1", "3")["bob"] == ["", ""]
    assert "Nothing of 03_more is graded, so it has no column." in " ".join(capsys.readouterr().out.split())
    shutil.rmtree(course.source("03_more").parent)


def test_points_of_what_was_handed_in_before_are_named(course, kept, capsys):
    def graded_before(student, lesson, is_same, is_recorded=True, **about):
        task = Task(student, lesson, Classroom(course).submitted / student / lesson)
        content = content_of(read_submission_of(task)) if is_same else "of another notebook"
        journal = journal_of(course)
        journal.write(task, Entry("key", Report(lesson, **about), "{}", content=content))
        if is_recorded:
            journal.note(task, Recorded(gradebook="it"))

    graded_before("ada", "01_sums", is_same=True)
    graded_before("ada", "02_lists", is_same=False)
    graded_before("=eve", "01_sums", is_same=False, readable=False, handed_in=False)
    kept("cleo", "01_sums")  # takes the journal away afterwards
    found = cells(course, "--zero")
    assert found["ada"] == ["7.5", "9"] and found["'=eve"] == ["", "0"], "there is a notebook by now"
    said = " ".join(capsys.readouterr().out.split())
    assert "the points are of what was handed in before: ada (02_lists)." in said
    assert "not graded yet, so the cell is empty: =eve (01_sums)." in said
    graded_before("ada", "01_sums", is_same=True, is_recorded=False)
    assert cells(course)["ada"] == ["7.5", "9"]
    said = " ".join(capsys.readouterr().out.split())
    assert "the points are of what was handed in before: ada (01_sums), ada (02_lists)." in said


def test_what_cannot_be_read_now_is_named(course, kept, capsys, monkeypatch):
    def refuse(path, *_):
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    kept("ada", "01_sums")
    monkeypatch.setattr("autograder.classroom.submissions.read_plain", refuse)
    assert cells(course)["ada"] == ["7.5", "9"]
    assert "cannot be read now, so the points are of what was read before:" in capsys.readouterr().out


def test_what_somebody_began_to_grade_is_not_graded(course, handed_in, capsys):
    """nbgrader makes a row without points before it runs a notebook; a killed one leaves it."""
    handed_in("cleo", "02_lists")
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
        book.update_or_create_student("cleo")
        book.add_submission("02_lists", "cleo")
    found = cells(course)
    with Gradebook(f"sqlite:///{Classroom(course).gradebook}") as book:
        book.remove_student("cleo")
    assert found["cleo"] == ["", ""]
    assert "not graded yet, so the cell is empty: cleo (02_lists)." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("link", [None, "x" * 300], ids=["nothing", "a link that the system refuses to look at"])
def test_who_is_in_the_gradebook_only_is_named(course, capsys, link):
    folder = Classroom(course).submitted / "ada" / "02_lists"
    folder.rename(folder.with_name("elsewhere"))
    try:
        if link:
            folder.symlink_to(link)
        assert cells(course)["ada"] == ["7.5", "9"]
        said = " ".join(capsys.readouterr().out.split())
        assert "No longer in classroom/submitted/" in said and "all the same: ada (02_lists)." in said
    finally:
        folder.unlink(missing_ok=True)
        folder.with_name("elsewhere").rename(folder)
    assert cells(course) and "No longer" not in capsys.readouterr().out


def test_nbgraders_own_table_runs_no_formula(course, tmp_path):
    assert main(["export"]) == 0
    assert nbgrader_export(course, tmp_path, "--to", "x.csv") == (course.classroom / "export-csv.csv").read_bytes()


def nbgrader_export(course, folder, *arguments):
    """What ``nbgrader export`` then has in ``x.csv``."""
    env = os.environ | {
        "JUPYTER_CONFIG_PATH": str(course.config),
        "PYTHONPATH": str(ROOT),
        "JUPYTER_PLATFORM_DIRS": "1",
    }
    command = [sys.executable, "-m", "nbgrader", "export", *arguments]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (folder / "x.csv").read_bytes()


def test_a_place_that_cannot_be_written_is_a_sentence(course, capsys, tmp_path):
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "x.csv"):
        assert main(["export", "--file", str(place)]) == 2
        said = capsys.readouterr().err
        assert f"{tmp_path.name}" in said and "name another place" in said and "unfinished" not in said


def test_what_cannot_be_exported_is_a_sentence(course, capsys, monkeypatch, tmp_path):
    assert main(["export", "--column", "01"]) == 2
    assert "--column '01' names no column" in capsys.readouterr().err
    assert main(["export", "--column", "1=A", "--column", "2=A"]) == 2
    assert "Two columns have one name" in capsys.readouterr().err
    for folder in ("solutions/_shared", "autograder"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    assert main(["export"]) == 2
    assert "There is no gradebook yet" in capsys.readouterr().err


def moodle_takes(name: str) -> str:
    """The participant that Moodle finds in a path of the zip, as ``is_valid_filename_for_import`` looks for one."""
    for part in name.split("/"):
        info = part.split("_", 4)
        if len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignsubmission", "file"]:
            return info[1]
    return ""


def test_feedback_goes_back_under_moodles_own_names(course, capsys):
    assert main(["feedback", "1", "--zip", "moodle"]) == 2
    assert "No page of 01_sums can go back to Moodle. =eve is not in it" in capsys.readouterr().err
    folder = "Ada King Lovelace_12345_assignsubmission_file"
    note = note_path(course, "ada", "01_sums")
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"system": "Moodle", "late": False, "folder": folder}))
    assert main(["feedback", "1", "--zip", "moodle"]) == 2
    assert "there is no feedback yet" in capsys.readouterr().err
    page = course.classroom / "feedback" / "ada" / "01_sums" / "01_sums.html"
    page.parent.mkdir(parents=True)
    page.write_text("Ada's page")
    assert main(["feedback", "1", "--zip", "moodle"]) == 1
    assert "=eve is not in it: that submission was not collected from Moodle." in capsys.readouterr().out
    with zipfile.ZipFile(course.classroom / "feedback-moodle-01_sums.zip") as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == {f"{folder}/01_sums.html": b"Ada's page"}
        assert moodle_takes(opened.namelist()[0]) == "12345"
    journal_of(course).write(
        Task("ada", "01_sums", course.classroom), Entry("key", Report("01_sums"), "{}", content="of another notebook")
    )
    assert main(["feedback", "1", "--zip", "moodle"]) == 1
    assert "ada: Something else was handed in, and is not graded" in capsys.readouterr().out
    note.write_text(json.dumps({"system": "Moodle", "late": False, "folder": folder, "beside": True}))
    assert main(["feedback", "1", "--zip", "moodle"]) == 2
    assert "ada is not in it: it came with another lesson's files, so Moodle has no place" in capsys.readouterr().err


def test_the_table_of_grades_has_the_whole_class_whatever_was_graded(course, tmp_path):
    classroom = Classroom(course)
    task = Task("ada", "01_sums", classroom.submitted / "ada" / "01_sums")
    outcomes = [Outcome(task, None, 0.7 * 3, 10, False)]  # 2.0999999999999996
    write_tables(outcomes, tmp_path / "grades.csv", tmp_path / "grades.json", without_result(classroom, outcomes))
    with (tmp_path / "grades.csv").open(newline="") as file:
        rows = {(row["student"], row["lesson"]): (row["score"], row["remarks"]) for row in csv.DictReader(file)}
    assert rows == {
        ("ada", "01_sums"): ("2.1", ""),
        ("ada", "02_lists"): ("", "Handed in, not graded yet."),
        ("'=eve", "01_sums"): ("", "Handed in, not graded yet."),
        ("bob", "01_sums"): ("", "Nothing was handed in."),
        ("bob", "02_lists"): ("", "Nothing was handed in."),
        ("cleo", "01_sums"): ("", "Nothing was handed in."),
        ("cleo", "02_lists"): ("", "Nothing was handed in."),
    }
    assert len(json.loads((tmp_path / "grades.json").read_text())) == 1


@pytest.mark.parametrize("width", [40, 80, 120, 400])
def test_no_points_are_cut_in_the_terminal_however_many_lessons_there_are(course, width):
    lessons = [f"{number:02}_a_lesson_with_a_long_name" for number in range(12)] + ["00_another_one"]
    students = ["a" * 40, "b" * 40]
    outcomes = [
        Outcome(Task(student, lesson, course.classroom), None, 10 + place, 47.5, False)
        for student in students
        for place, lesson in enumerate(lessons)
    ]
    printed = io.StringIO()
    show(outcomes, Classroom(course), Console(file=printed, width=width), everybody=False)
    said = printed.getvalue()
    assert max(map(len, said.splitlines())) <= width
    for place, lesson in enumerate(lessons):
        assert said.count(f" {10 + place} of 47.5 ! ") == len(students), lesson
        heading = lesson if lesson.startswith("00_") else lesson[:2]
        assert f" {heading} " in said or width == 40, "two lessons have the number 00"
    assert "…" not in said or width == 40, "names give way where even one lesson needs the room"
    assert said.count("Student") == 1 or width < 400
