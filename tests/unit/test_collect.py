"""``course collect``: downloads in the shape that each system documents, odd names and bad files included.

What documents each shape:
* Canvas: ``lib/content_zipper.rb`` of instructure/canvas-lms: NAME_[LATE_]USER_ATTACHMENT_FILE, name lower case without
  signs, last name first; ``anon_ID`` where names are hidden.
* Moodle: ``mod/assign`` of moodle/moodle: ``Full Name_ID_assignsubmission_file`` as a folder (a last ``_`` before 4.1),
  or in front of the file's name (before 3.1); the group's name and ``-`` in front where teams hand in.
* Blackboard: ``ASSIGNMENT_LOGIN_attempt_TIME_FILE``, as nbgrader's guide to ``zip_collect`` shows it; a .txt beside.
* ILIAS: ``Modules/Exercise`` of ILIAS: ``Last_First_login_ID/FILE`` in ASCII, ``Late Submission - `` before late ones.
* Gradescope: an export as teachers have published it: ``submission_ID/`` and ``submission_metadata.yml``, Ruby's keys.
* Google Classroom: its Drive folder as a zip: ``Full Name - FILE`` of the copies that it makes for each learner. No
  document of Google's was found for that.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sys
import tarfile
import tempfile
import time
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest

from autograder.classroom import archives
from autograder.classroom.collect import folded, newest_of
from autograder.classroom.feedback import _folder
from autograder.classroom.handing_over import PlainExtractor, copy_plain
from autograder.classroom.roster import read_roster
from autograder.classroom.submissions import Classroom, Task, note_path, odd_time, odd_time_of_one, read_submission_of
from autograder.classroom.systems import SHAPES, Found, as_in_download, is_by_a_program
from autograder.cli import main
from autograder.files import write_whole
from autograder.grading.sandbox.folders import remove_all
from autograder.paths import Course
from tests.pace import Stopwatch

LESSON = "01_sums"
YML = """\
---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '06758767'
    :email: ada@example.org
  - :name: José Núñez
    :sid: '06754968'
    :email: jose@example.org
  :created_at: 2026-01-02 02:52:07.938335000 Z
  :score: 0.0
  :history: []
"""
ROSTER = """\
id,name,email,canvas_id,sid
ada,Ada Lovelace,ada@example.org,340934,06758767
jose,José Núñez,jose@example.org,,
o_neill,Seán O'Neill,sean@example.org,,
mueller,Jörg Müller,jm@example.org,,
"""


@pytest.fixture
def course(tmp_path, monkeypatch) -> Course:
    root = tmp_path / "course"
    for lesson in (LESSON, "02_lists"):
        (root / "solutions" / lesson).mkdir(parents=True)
        (root / "solutions" / lesson / f"{lesson}.py").touch()
    for folder in ("solutions/_shared", "autograder", "classroom"):
        (root / folder).mkdir()
    monkeypatch.setenv("COURSE_ROOT", str(root))
    return Course(root)


@pytest.fixture
def in_utc(monkeypatch):
    """Blackboard's times are of this machine's clock."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system has no time zone for one process")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def roster(course) -> None:
    (course.classroom / "roster.csv").write_text(ROSTER)


@pytest.fixture
def collect(course, tmp_path, capsys):
    """``collect({name: text}, *options)`` makes a zip and collects it; gives the exit status and what was said."""

    def run(files: dict[str, str], *options: str, name: str = "download.zip") -> tuple[int, str]:
        with zipfile.ZipFile(tmp_path / name, "w") as opened:
            for path, text in files.items():
                opened.writestr(path, text)
        status = main(["collect", str(tmp_path / name), *options])
        return status, " ".join(capsys.readouterr().out.split())

    return run


def submitted(course: Course) -> dict[str, str]:
    """``{"ada/01_sums": text of the notebook}``."""
    paths = (course.classroom / "submitted").glob("*/*/*.ipynb")
    return {f"{path.parts[-3]}/{path.parts[-2]}": path.read_text() for path in paths}


CANVAS = {
    "lovelaceada_340934_208490284_01_sums.ipynb": "ada",
    "núñezjosé_LATE_340935_208490285_01_sums-1.ipynb": "josé",
    "oneillseán_340936_208490286_Copy of 01 sums (2).ipynb": "seán",
}
MOODLE = {
    "Ada Lovelace_12345_assignsubmission_file/01_sums.ipynb": "ada",
    "José Núñez_12346_assignsubmission_file_/my work/01_sums.ipynb": "josé",
    "Seán O'Neill_12347_assignsubmission_file_01_sums.ipynb": "seán",
    "Seán O'Neill_12347_assignsubmission_onlinetext/onlinetext.html": "words",
}
TEAMS = {
    "Group A-Ada Lovelace_12345_assignsubmission_file/01_sums.ipynb": "ada",
    "Group-2-José Núñez_12346_assignsubmission_file_/my work/01_sums.ipynb": "josé",
    "Group A-Seán O'Neill_12347_assignsubmission_file_01_sums.ipynb": "seán",
}
BLACKBOARD = {
    "01_sums_ada_attempt_2026-01-02-10-00-00.txt": "Name: Ada Lovelace (ada)",
    "01_sums_ada_attempt_2026-01-01-10-00-00_01_sums.ipynb": "an older one",
    "01_sums_ada_attempt_2026-01-02-10-00-00_01_sums.ipynb": "ada",
    "01_sums_jose_attempt_2026-01-02-11-00-00_x_ada_attempt_2099-01-01-10-00-00_01_sums.ipynb": "josé",
    "01_sums_o_neill_attempt_2026-01-02-12-00-00_01_sums.ipynb": "seán",
}
ILIAS = {
    "Sums/Lovelace_Ada_ada_401/01_sums.ipynb": "ada",
    "Sums/Nunez_Jose_jose_402/Late Submission - 01_sums.ipynb": "josé",
    "Sums/ONeill_Sean_o_neill_403/01_sums (2).ipynb": "seán",
}
GOOGLE = {
    "Sums/Ada Lovelace - 01_sums.ipynb": "ada",
    "Sums/Jose Nunez - 01_sums.ipynb": "josé",
    "Sums/Seán O'Neill - Copy of 01_sums.ipynb": "seán",
}


def test_nobody_is_taken_for_whose_login_ends_alike(course, collect):
    """Blackboard joins assignment and login by what may be part of both, and ILIAS names and login."""
    ada = {"Lab_ada_attempt_2026-01-01-10-00-00_01_sums.ipynb": "ada"}
    other = {"Lab_x_ada_attempt_2026-01-02-10-00-00_01_sums.ipynb": "x_ada"}
    for files in (other, {"Sums/Lovelace_Ada_x_ada_401/01_sums.ipynb": "x_ada"}):
        status, said = collect(files)
        assert status == 1 and "may be ada or x_ada. Write classroom/roster.csv with their logins" in said
        assert not submitted(course) and not (course.classroom / "roster.csv").exists()
    assert collect(ada | other)[0] == 0
    assert submitted(course) == {"ada/01_sums": "ada", "x_ada/01_sums": "x_ada"}


def test_downloads_of_several_assignments_in_a_folder_are_read_each_for_itself(course, tmp_path, capsys):
    """Names of two assignments share nothing: what they begin with is no login for it."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    for name in (LESSON, "02_lists"):
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as opened:
            for login in ("ada", "jose"):
                opened.writestr(f"{name}_{login}_attempt_2026-01-02-10-00-00_{name}.ipynb", login)
    right = {f"{who}/{name}": who for who in ("ada", "jose") for name in (LESSON, "02_lists")}
    assert main(["collect", str(folder)]) == 1
    assert "may be ada or sums_ada" in " ".join(capsys.readouterr().out.split())
    assert not submitted(course) and not (course.classroom / "roster.csv").exists()
    (course.classroom / "roster.csv").write_text(ROSTER)
    assert main(["collect", str(folder)]) == 0
    assert submitted(course) == right


def test_several_assignments_without_folders_of_their_own_are_nobodys_new_name(course, roster, collect):
    lessons = (LESSON, "02_lists")
    files = {
        f"{name}_{who}_attempt_2026-01-02-10-00-00_{name}.ipynb": who for name in lessons for who in ("ada", "x_ada")
    }
    assert "sums_ada is not in classroom/roster.csv" in collect(files)[1] and not submitted(course)
    (course.classroom / "roster.csv").unlink()
    assert "may be sums_ada or 01_sums_ada" in collect(files)[1] and not submitted(course)


def test_who_is_late_alone_is_read_by_the_title_that_the_others_share(course, roster, tmp_path, capsys):
    folder = tmp_path / "downloads"
    folder.mkdir()
    downloads = {
        "late": ("01_sums", ["x_ada"]),
        "main": ("01_sums", ["ada", "jose"]),
        "other": ("01_sums_02_lists", ["ada", "jose"]),
    }
    for name, (title, logins) in downloads.items():
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as opened:
            for login in logins:
                opened.writestr(f"{title}_{login}_attempt_2026-01-02-10-00-00_{title[-8:].strip('_')}.ipynb", login)
    assert main(["collect", str(folder)]) == 1
    assert submitted(course) == {f"{who}/{name}": who for who in ("ada", "jose") for name in (LESSON, "02_lists")}
    assert "x_ada is not in classroom/roster.csv" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "files",
    [
        {"1": {"lovelaceada_11_1_01_sums.ipynb": "a"}, "2": {"lovelaceada_22_2_01_sums.ipynb": "b"}},
        {"1": {"lovelaceada_11_1_01_sums.ipynb": "a", "lovelaceada_22_2_02_lists.ipynb": "b"}},
        {"1": {"lovelaceada_11_1_homework.ipynb": "a", "lovelaceada_22_2_01_sums.ipynb": "b"}},
    ],
)
def test_two_numbers_are_two_people_in_all_that_is_collected(course, tmp_path, files, capsys):
    (course.classroom / "roster.csv").write_text("id,name\nada,lovelaceada\n")
    for name, texts in files.items():
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as opened:
            for path, text in texts.items():
                opened.writestr(path, text)
    assert main(["collect", *(str(tmp_path / f"{name}.zip") for name in files), "--lesson", "01"]) == 1
    assert not submitted(course) and "Canvas has several people of this name" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "taken"),
    [
        (["ada,Ada Lovelace,ada@x.org,6758767", "bob,Bob King,,"], "ada"),  # a spreadsheet took the zero away
        (["ada,Ada Lovelace,ada@x.org,11", "ada2,Ada Lovelace,,"], ""),  # ada2, or somebody else
    ],
)
def test_numbers_tell_no_more_than_they_can(course, collect, lines, taken):
    (course.classroom / "roster.csv").write_text("\n".join(["id,name,email,sid", *lines]))
    status, said = collect(of_people(("Ada Lovelace", "06758767", "other@x.org")))
    assert submitted(course) == ({f"{taken}/01_sums": "other@x.org"} if taken else {})
    assert status == (not taken) and (taken or "may be ada or ada2" in said)


SMITHS = """\
id,name,login,ilias_id
smith,Adam Smith,smith,401
j_smith,John Smith,j_smith,
mueller,Jörg Müller Groß,mueller,
petr,Petr Dvořák,xdvo12,
"""


@pytest.mark.parametrize(
    ("without", "name", "taken"),
    [
        ("", "Smith_John_j_smith", "j_smith"),
        ("", "Smith_Adam_smith", "smith"),
        ("j_smith", "Smith_John_j_smith", ""),
        ("", "Mueller_Gross_Joerg_mueller", "mueller"),
        ("", "Smith_Jack_j_smith", "j_smith"),
        ("", "Dvo____k_Petr_xdvo12", "petr"),
    ],
)
def test_a_login_that_ends_as_anothers_is_told_apart_by_the_name(course, collect, without, name, taken):
    """ILIAS joins both with what may be part of a login."""
    lines = [line for line in SMITHS.splitlines() if line.partition(",")[0] != without]
    (course.classroom / "roster.csv").write_text("\n".join(lines))
    status, said = collect({f"Sums/{name}_402/01_sums.ipynb": "work"})
    assert submitted(course) == ({f"{taken}/01_sums": "work"} if taken else {})
    assert status == (not taken) and (taken or "may be smith, whose name or number is another one" in said)


@pytest.mark.parametrize("texts", [("same", "same"), ("one", "another")])
@pytest.mark.parametrize("system", ["Moodle", "Canvas", "Gradescope"])
def test_two_people_of_one_name_in_one_download_are_not_one(course, collect, system, texts):
    if system != "Moodle":
        (course.classroom / "roster.csv").write_text("id,name\nada,Ada Lovelace\nada2,lovelaceada\n")
    if system == "Gradescope":
        files = of_people(("Ada Lovelace", "11", texts[0]), ("Ada Lovelace", "22", texts[1]))
    else:
        name = {
            "Moodle": "Ada Lovelace_1{}_assignsubmission_file/01_sums.ipynb",
            "Canvas": "lovelaceada_1{}_5{}_01_sums.ipynb",
        }
        files = {name[system].format(at, at): text for at, text in enumerate(texts)}
    status, said = collect(files)
    assert status == 1 and not submitted(course) and f"{system} has several people of this name" in said


def test_what_macos_writes_beside_a_file_is_nobodys_work(course, collect):
    name = "lovelaceada_11_1_hw/{}01_sums.ipynb"
    assert collect({name.format(""): "ada", name.format("._"): "marks"})[0] == 0
    assert submitted(course) == {"lovelaceada_11/01_sums": "ada"}


def test_a_file_that_is_called_as_macos_calls_them_is_work_where_it_stands_alone(course, roster, collect):
    assert collect({"Ada Lovelace_1_assignsubmission_file/._01_sums.ipynb": "all that there is"})[0] == 0
    assert submitted(course) == {f"ada/{LESSON}": "all that there is"}


def test_two_addresses_in_one_export_are_two_people(course, collect):
    (course.classroom / "roster.csv").write_text("id,name\nada,Ada Lovelace\n")
    status, said = collect(of_people(("Ada Lovelace", "", "a@x.org"), ("Ada Lovelace", "", "b@x.org")))
    assert status == 1 and not submitted(course) and "Gradescope has several people of this name" in said


def test_one_number_under_two_names_is_asked_about(course, collect):
    status, said = collect({"lovelaceada_11_1_01_sums.ipynb": "a", "kingada_11_2_02_lists.ipynb": "b"})
    assert status == 1 and not submitted(course) and "have one number: is it one person?" in said


def test_a_roster_without_somebody_gives_their_work_to_nobody(course, roster, collect):
    names = ("01_sums_ada", "01_sums_x_ada", "01_sums_jose")
    files = {f"{name}_attempt_2026-01-0{day}-10-00-00_01_sums.ipynb": name for day, name in enumerate(names, 1)}
    status, said = collect(files)
    assert submitted(course) == {"ada/01_sums": "01_sums_ada", "jose/01_sums": "01_sums_jose"}
    assert status == 1 and "x_ada is not in classroom/roster.csv" in said


def of_people(*people: tuple[str, str, str]) -> dict[str, str]:
    """Gradescope's export for (name, sid, email)."""
    said = [f"  - :name: {name}\n    :sid: '{sid}'\n    :email: {email}\n" for name, sid, email in people]
    texts = [f"submission_{at}:\n  :submitters:\n{each}" for at, each in enumerate(said)]
    files = {f"export/submission_{at}/01_sums.ipynb": email for at, (_, _, email) in enumerate(people)}
    return {"export/submission_metadata.yml": "".join(texts), **files}


@pytest.mark.parametrize(
    ("files", "taken", "column"),
    [
        (
            {"lovelaceada_11_1_01_sums.ipynb": "ada", "lovelaceada_22_2_01_sums.ipynb": "a namesake"},
            {"ada": "ada"},
            "canvas_id",
        ),
        ({"lovelaceada_22_2_01_sums.ipynb": "a namesake"}, {}, "canvas_id"),
        ({"Sums/Lovelace_Ada_ada2_22/01_sums.ipynb": "a namesake"}, {}, "ilias_id"),
        (of_people(("Ada Lovelace", "22", "b@x.org")), {}, "sid"),
        (of_people(("Ada Lovelace", "", "ada@x.org"), ("Ada Lovelace", "", "b@x.org")), {"ada": "ada@x.org"}, "email"),
        (of_people(("Ada Lovelace", "11", "her other address")), {"ada": "her other address"}, ""),
        (of_people(("Ada Lovelace", "", "her other address")), {"ada": "her other address"}, ""),
    ],
)
def test_a_namesake_whom_the_roster_does_not_know_is_nobody_else(course, collect, files, taken, column):
    """The roster has another number of the same system for the one whom it knows."""
    names = "id,name,email,canvas_id,sid,ilias_id,login\nada,lovelaceada,ada@x.org,11,11,11,\n"
    if "lovelaceada" not in "".join(files):
        names = names.replace("lovelaceada", "Ada Lovelace")
    (course.classroom / "roster.csv").write_text(names)
    status, said = collect(files)
    assert submitted(course) == {f"{student}/01_sums": text for student, text in taken.items()}
    assert status == bool(column)
    if column:
        assert f"is not in classroom/roster.csv: ada has another {column} there." in said


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (CANVAS, "Canvas"),
        (MOODLE, "Moodle"),
        (TEAMS, "Moodle"),
        (BLACKBOARD, "Blackboard"),
        (ILIAS, "ILIAS"),
        (GOOGLE, "Google Classroom"),
    ],
)
def test_each_system_is_known_by_its_shape(course, roster, collect, files, name):
    status, said = collect(files)
    assert status == 0 and f"notebooks from {name}." in said, said
    assert submitted(course) == {f"ada/{LESSON}": "ada", f"jose/{LESSON}": "josé", f"o_neill/{LESSON}": "seán"}
    assert "!" not in said and "3 taken" in said
    status, said = collect(files)
    assert status == 0 and "0 taken, 3 there already" in said, said


@pytest.mark.parametrize("files", [MOODLE, ILIAS])
def test_folders_have_the_shapes_of_systems_on_windows_too(files):
    for name in files:
        path = as_in_download(PureWindowsPath(name))
        assert path == name and ("onlinetext" in name or any(re.match(shape, path) for shape in SHAPES.values()))
    assert is_by_a_program(as_in_download(PureWindowsPath("hw", ".ipynb_checkpoints", "x.ipynb")))


def from_gradescope(place: str) -> dict[str, str]:
    """An export in a folder: a team's notebook, and one that the list does not name."""
    return {
        f"{place}/submission_metadata.yml": YML,
        f"{place}/submission_11/01_sums.ipynb": "both",
        f"{place}/submission_99/01_sums.ipynb": "nobody's",
    }


def test_gradescope_gives_a_teams_notebook_to_each_with_its_time(course, roster, collect):
    files = from_gradescope("assignment_5_export")
    status, said = collect(files)
    assert status == 1 and submitted(course) == {f"ada/{LESSON}": "both", f"jose/{LESSON}": "both"}
    assert "submission_99/01_sums.ipynb: not taken; Gradescope does not name files that way" in said
    when = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    assert when.read_text() == "2026-01-02 02:52:07 UTC\n"
    _, said = collect(files)
    assert "0 taken, 2 there already" in said and not (course.classroom / "replaced").exists()


@pytest.mark.parametrize("place", [".", "week 1", "week 1/submissions", "Lab 1/assignment_5_export"])
def test_an_export_of_gradescopes_is_known_in_a_folder_too(course, roster, collect, place):
    status, said = collect(from_gradescope(place))
    assert status == 1 and "from Gradescope" in said and "submission_99/01_sums.ipynb: not taken" in said
    assert submitted(course) == {f"ada/{LESSON}": "both", f"jose/{LESSON}": "both"}


def test_an_export_in_a_folder_that_another_systems_could_be_asks(course, roster, collect):
    files = from_gradescope("CS101 - Lab 1")
    status, said = collect(files)
    assert status == 1 and "it may come from Gradescope or Google Classroom. Say which: --from gradescope" in said
    assert not submitted(course)
    collect(files, "--from", "gradescope")
    assert submitted(course) == {f"ada/{LESSON}": "both", f"jose/{LESSON}": "both"}


def test_a_roster_that_is_made_can_be_read(course, collect):
    """Whatever a pattern or a list calls an address."""
    files = {"ada_x_01_sums.ipynb": "no address", "bob@example.org_y_01_sums.ipynb": "bob"}
    status, said = collect(files, "--pattern", "{email}_{name}_{file}")
    assert (
        status == 1
        and "ada_x_01_sums.ipynb: not taken" in said
        and submitted(course) == {f"bob@example.org/{LESSON}": "bob"}
    )
    shutil.rmtree(course.classroom)
    course.make_classroom()
    odd = YML.replace("ada@example.org", "ada at example")
    status, _ = collect({"x/submission_metadata.yml": odd, "x/submission_11/01_sums.ipynb": "both"})
    roster = read_roster(course)
    assert status == 0 and not roster.wrong and {person.name for person in roster.people.values()} == {
        "Ada Lovelace", "José Núñez",
    }  # fmt: skip


def test_times_and_late_marks_are_kept(course, roster, collect, in_utc):
    collect(BLACKBOARD, name="blackboard.zip")
    folder = course.classroom / "submitted" / "ada" / LESSON
    assert (folder / "timestamp.txt").read_text() == "2026-01-02 10:00:00 UTC\n"
    assert odd_time(Task("ada", LESSON, folder)) == ""
    shutil.rmtree(course.classroom / "submitted" / "jose")
    status, said = collect({name: text for name, text in CANVAS.items() if "LATE" in name})
    assert status == 0 and "jose, 01_sums: Canvas marks it as late and says no time" in said
    folder = course.classroom / "submitted" / "jose" / LESSON
    assert odd_time(Task("jose", LESSON, folder)) == "Canvas marks this as late, and says no time."


@pytest.mark.parametrize(("lines", "system"), [(MOODLE, "Moodle"), (CANVAS, "")])
def test_when_the_teacher_collected_is_no_sign_of_lateness(course, roster, collect, lines, system):
    collect(lines)
    task = Task("ada", LESSON, course.classroom / "submitted" / "ada" / LESSON)
    odd = odd_time(task, is_due=True)
    assert odd == (f"No time of handing in is known, as {system} says none, so this may be late." if system else "")
    assert odd_time_of_one(task, is_due=True) == "", "it is so for the whole class"


def test_what_a_system_said_is_believed_of_its_own_file_only(course, roster, collect):
    collect(CANVAS)
    late, in_time = (Task(who, LESSON, course.classroom / "submitted" / who / LESSON) for who in ("jose", "ada"))
    assert "Canvas marks this as late" in odd_time(late, is_due=True) and odd_time(in_time, is_due=True) == ""
    for task in (late, in_time):
        (task.folder / f"{LESSON}.ipynb").write_text("put there by hand")
        assert odd_time(task, is_due=True).startswith("No time of handing in is known (timestamp.txt is missing")
    assert odd_time(in_time) == "" and "Canvas marked as late what was collected; the file has" in odd_time(late)
    collect(CANVAS, "--replace")
    assert "Canvas marks this as late" in odd_time(late, is_due=True) and odd_time(in_time, is_due=True) == ""


@pytest.mark.parametrize(("system", "unknown"), [("Canvas", False), ("Moodle", True), (None, True)])
def test_a_missing_time_of_what_is_due_is_said_unless_the_system_marks_what_is_late(course, system, unknown):
    task = Task("ada", LESSON, course.classroom / "submitted" / "ada" / LESSON)
    task.folder.mkdir(parents=True)
    if system:
        note = note_path(course, "ada", LESSON)
        note.parent.mkdir(parents=True)
        note.write_text(json.dumps({"system": system, "late": False}))
    assert odd_time(task, is_due=True) == "", "nothing was handed in"
    (task.folder / f"{LESSON}.ipynb").touch()
    assert odd_time(task) == "" and ("No time of handing in is known" in odd_time(task, is_due=True)) == unknown


def test_a_newer_one_takes_the_place_of_an_older_one_which_is_kept(course, roster, collect):
    def at(day: int, text: str) -> dict[str, str]:
        return {f"Sums_ada_attempt_2026-01-0{day}-10-00-00_01_sums.ipynb": text}

    collect(at(2, "second"))
    assert "what is there is newer" in collect(at(1, "first"))[1]
    assert submitted(course) == {f"ada/{LESSON}": "second"}
    status, said = collect(at(3, "third"))
    assert status == 0 and "what was there is kept in classroom/replaced/01_sums/ada/1" in said
    assert submitted(course) == {f"ada/{LESSON}": "third"}
    assert (course.classroom / "replaced" / LESSON / "ada" / "1" / f"{LESSON}.ipynb").read_text() == "second"


@pytest.mark.parametrize("timed", [True, False])
def test_what_has_a_second_name_is_compared_all_the_same(course, roster, collect, timed):
    """As ``cp -al`` gives everything: work that is there, and what the course releases."""
    front = "Sums_ada_attempt_2026-01-01-10-00-00_" if timed else "Ada Lovelace_12345_assignsubmission_file/"
    stub = json.dumps(
        {"cells": [{"cell_type": "code", "source": "stub", "metadata": {}, "outputs": []}], "nbformat": 4}
    )
    release = course.release_notebook(LESSON)
    release.parent.mkdir(parents=True)
    release.write_text(stub)
    collect({f"{front}{LESSON}.ipynb": stub.replace("stub", "done")})
    os.link(release, course.root / "release.ipynb")
    os.link(course.classroom / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb", course.root / "work.ipynb")
    status, said = collect({f"{front}{LESSON}.ipynb": stub.replace("stub", "done")})
    assert status == 0 and "1 there already" in said
    later = front.replace("01-01", "01-02")
    assert "nothing is written in it" in collect({f"{later}{LESSON}.ipynb": stub})[1]
    assert "done" in submitted(course)[f"ada/{LESSON}"] and not (course.classroom / "replaced").exists()


def test_without_a_time_nothing_is_replaced_unless_asked(course, roster, collect):
    name = "Ada Lovelace_12345_assignsubmission_file/01_sums.ipynb"
    collect({name: "one"})
    status, said = collect({name: "two"})
    assert status == 1 and "no time says which is newer, so it stays" in said
    assert submitted(course) == {f"ada/{LESSON}": "one"}
    assert collect({name: "two"}, "--replace")[0] == 0
    assert submitted(course) == {f"ada/{LESSON}": "two"}
    assert (course.classroom / "replaced" / LESSON / "ada" / "1" / f"{LESSON}.ipynb").read_text() == "one"


def test_canvas_counts_uploads_so_the_last_one_is_known(course, roster, collect):
    names = ("lovelaceada_340934_900_01_sums.ipynb", "lovelaceada_340934_1000_01_sums-1.ipynb")
    status, said = collect(dict(zip(names, ("first", "last"), strict=True)))
    assert status == 0 and "of 2, the newest is taken" in said
    assert submitted(course) == {f"ada/{LESSON}": "last"}


@pytest.mark.parametrize("called", ["m_340934_5000_12_", "lovelaceada_340934_5000_12_", "m_340934_88_LATE_5000_12_"])
@pytest.mark.parametrize("known", [True, False])
def test_a_number_in_a_name_gives_nobody_elses_work_away(course, roster, collect, called, known):
    with (course.classroom / "roster.csv").open("a") as file:
        file.write("mal,M,,5000,\n" if known else "mal,M,,,\n")
    honest = {"núñezjosé_340935_208490285_02_lists.ipynb": "josé"}
    status, said = collect(honest | {f"{called}hw.zip": packed({"01_sums.ipynb": "mal's"})})
    assert not known or submitted(course) == {"jose/02_lists": "josé"}
    shutil.rmtree(course.classroom / "submitted")
    status, said = collect(honest | {f"{called}01_sums.ipynb": "mal's"})
    if known or not called.startswith("lovelace"):  # who has Ada's name and number, and none of their own, is Ada
        assert status == 1 and "this may be ada's, or of number 5000" in said, said
        assert submitted(course) == {"jose/02_lists": "josé"}


def test_a_lessons_number_is_none_of_a_person(course, roster, collect):
    (course.root / "solutions" / "10_queues").mkdir()
    (course.root / "solutions" / "10_queues" / "10_queues.py").touch()
    status, said = collect({"countess_340934_208490284_10_queues.ipynb": "ada"})
    assert status == 0 and submitted(course) == {"ada/10_queues": "ada"}, said


def test_two_of_the_same_time_are_a_sentence_and_neither_is_taken(course, roster, collect):
    shape = "Sums_ada_attempt_2026-01-01-10-00-00_{}01_sums.ipynb"
    status, said = collect({shape.format(""): "one", shape.format("final_"): "two"})
    assert status == 1 and "2 different notebooks of the same time, or of none, so none was taken" in said
    assert submitted(course) == {}
    assert collect({shape.format(""): "one", shape.format("final_"): "one"})[0] == 0


def test_who_is_not_in_the_roster_is_named(course, roster, collect):
    status, said = collect(MOODLE | {"Eve Stranger_9_assignsubmission_file/01_sums.ipynb": "eve"})
    assert status == 1 and "not taken, as Eve Stranger is not in classroom/roster.csv." in said
    assert len(submitted(course)) == 3


def test_names_that_differ_in_accents_only_are_told_apart_or_asked_about(course, collect):
    (course.classroom / "roster.csv").write_text("id,name,canvas_id\na,José Núñez,\nb,Jose Nunez,\n")
    moodle = "{}_{}_assignsubmission_file/01_sums.ipynb"
    status, said = collect({moodle.format("José Núñez", 1): "1", moodle.format("Jose Nunez", 2): "2"})
    assert status == 0 and submitted(course) == {f"a/{LESSON}": "1", f"b/{LESSON}": "2"}
    status, said = collect({"nunezjosé_7_8_01_sums.ipynb": "3"})
    assert status == 1 and "nunezjosé may be a or b" in said and submitted(course)[f"a/{LESSON}"] == "1"


def test_without_a_roster_one_is_made_and_alike_names_wait_for_a_person(course, collect):
    moodle = "{}_{}_assignsubmission_file/01_sums.ipynb"
    names = ("Ada Lovelace", "José Núñez", "JOSÉ NÚÑEZ", "=1+1", "../eve")
    status, said = collect({moodle.format(name, number): name for number, name in enumerate(names) if "/" not in name})
    assert status == 1 and submitted(course) == {f"Ada Lovelace/{LESSON}": "Ada Lovelace"}
    assert "differ in case or accents only: is it one person?" in said and "'=1+1' cannot be the name" in said
    assert "There was no classroom/roster.csv; it was made" in said
    assert "Ada Lovelace" in read_roster(course).people


@pytest.mark.parametrize("names", [("राम", "रीमा"), ("มานี", "มานะ")])
def test_vowels_that_are_written_as_marks_tell_names_apart(course, collect, names):
    moodle = "{}_{}_assignsubmission_file/01_sums.ipynb"
    status, said = collect({moodle.format(name, number): name for number, name in enumerate(names)})
    assert status == 0 and len(submitted(course)) == 2, said
    assert folded("José Nu\u0301ñez_1 \ufe0f") == "josenunez1"


def test_a_pattern_says_what_no_system_does(course, roster, collect):
    files = {"week1/ada+2026-01-01 10:00+work.ipynb": "ada", "week1/readme.ipynb": "x"}
    status, said = collect(files)
    assert status == 1 and "its shape is not known" in said and "--pattern" in said
    status, said = collect(files, "--pattern", "{id}+{time}+{file}", "--lesson", "1")
    assert "readme.ipynb: not taken; the pattern does not name files that way" in said
    assert submitted(course) == {f"ada/{LESSON}": "ada"}
    status, said = collect(files, "--pattern", "{file}")
    assert status == 1 and "cannot be used" in said


def test_a_shape_of_two_systems_is_asked_about(course, roster, collect):
    one = {"mal_12_34_x_ada_attempt_2099-01-01-10-00-00_01_sums.ipynb": "mal"}
    status, said = collect(one)
    assert status == 1 and "may come from Blackboard or Canvas. Say which: --from" in said and not submitted(course)
    status, said = collect(one, "--from", "canvas")
    assert "mal is not in classroom/roster.csv" in said and not submitted(course)


def test_a_lesson_that_no_name_tells_is_asked_for(course, roster, collect):
    files = {"Ada Lovelace_1_assignsubmission_file/homework.ipynb": "ada"}
    status, said = collect(files)
    assert status == 1 and "no lesson's name is in 'homework.ipynb': say --lesson" in said
    assert collect(files, "--lesson", "02")[0] == 0 and submitted(course) == {"ada/02_lists": "ada"}


def test_a_learners_own_zip_is_opened_and_the_named_notebook_taken(course, roster, collect, tmp_path):
    with zipfile.ZipFile(tmp_path / "inner.zip", "w") as inner:
        inner.writestr("work/01_sums.ipynb", "ada")
        inner.writestr("work/scratch.ipynb", "notes")
    inside = (tmp_path / "inner.zip").read_bytes().decode("latin-1")
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as opened:
        opened.writestr("lovelaceada_340934_5_BobsWork.zip", inside.encode("latin-1"))
    assert main(["collect", str(tmp_path / "outer.zip"), "--lesson", "01"]) == 0
    assert submitted(course) == {f"ada/{LESSON}": "ada"}


def test_links_that_nobody_would_look_at_are_not_spoken_of(course, roster, tmp_path, capsys):
    """A copy that shares its files with another one, as git makes it of a repository on the same disk."""
    if sys.platform == "win32":
        pytest.skip("links need a right there")
    folder = tmp_path / "downloaded"
    for name in ("ada", "jose"):
        (folder / name / ".git").mkdir(parents=True)
        (folder / name / "01_sums.ipynb").write_text(name)
        for number in range(20):
            (tmp_path / f"{name}{number}").write_text("an object")
            os.link(tmp_path / f"{name}{number}", folder / name / ".git" / str(number))
            (folder / name / f"picture{number}.png").symlink_to(tmp_path / "elsewhere")
            (folder / name / f"more{number}.ipynb").symlink_to(tmp_path / "elsewhere")
    (folder / "mueller").symlink_to(tmp_path)
    (folder / "ada" / "data").symlink_to("a" * 300)  # a name that no folder can have
    status = main(["collect", str(folder), "--pattern", "{id}/{file}"])
    said = " ".join(capsys.readouterr().out.split())
    assert status == 1 and submitted(course) == {f"ada/{LESSON}": "ada", f"jose/{LESSON}": "jose"}
    assert said.count("was left out") == 11 and "mueller was left out: it is a link" in said
    assert ".git" not in said and ".png" not in said and "of 15 more files of jose" in said


def test_a_folder_is_as_good_as_a_zip_and_its_links_are_left(course, roster, tmp_path, capsys):
    folder = tmp_path / "downloaded"
    for name, text in ILIAS.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    if sys.platform != "win32":
        (tmp_path / "secret.ipynb").write_text("the teacher's")
        (folder / "Sums" / "Mueller_Joerg_mueller_404").mkdir()
        (folder / "Sums" / "Mueller_Joerg_mueller_404" / "01_sums.ipynb").symlink_to(tmp_path / "secret.ipynb")
    status = main(["collect", str(folder)])
    said = " ".join(capsys.readouterr().out.split())
    assert len(submitted(course)) == 3 and "the teacher's" not in submitted(course).values()
    assert sys.platform == "win32" or (status == 1 and "was left out: it is a link to another place" in said)


SIGNS = "id,name,login\n1,Anna A,anna\n2,Anna B,anna_b\n3,Sean O,o_neill\n"
MIXED = "id,name,login\nanna,Anna A,aa1\n7,Anna B,anna_b\n"
HYPHENS = "id,name,login\n1,Anna A,anna\n2,Anna B,anna-b\n"
GITHUB = "id,name,login\nmax,Max M,mm99\nmia,Mia K,max\n"
FIRST_NAMES = "id,name\n1,Anna\n2,Anna-Lena\n3,Cem Can\n"


@pytest.mark.parametrize(
    ("lines", "pattern", "file", "whose"),
    [
        (SIGNS, "{id}_{file}", "anna_b_01_sums.ipynb", ["1", "2"]),
        (SIGNS, "{id}_{file}", "anna_01_sums.ipynb", ["1"]),
        (SIGNS, "{id}_{file}", "o_neill_01_sums.ipynb", ["3"]),
        (MIXED, "{id}_{file}", "anna_b_01_sums.ipynb", ["7", "anna"]),
        (MIXED, "{id}_{file}", "aa1_01_sums.ipynb", ["anna"]),
        (HYPHENS, "lab1-{id}-*", "lab1-anna-b-main/01_sums.ipynb", ["1", "2"]),
        (HYPHENS, "{id}-*", "anna-b-lab1/01_sums.ipynb", ["1", "2"]),
        (HYPHENS, "lab1-{id}/{file}", "lab1-anna-b/01_sums.ipynb", ["2"]),
        (GITHUB, "lab1-{id}/{file}", "lab1-max/01_sums.ipynb", ["max", "mia"]),
        (GITHUB, "lab1-{id}/{file}", "lab1-mm99/01_sums.ipynb", ["max"]),
        (FIRST_NAMES, "{name}-{file}", "Anna-Lena-01_sums.ipynb", ["1", "2"]),
        (FIRST_NAMES, "{name}-{file}", "Anna-01_sums.ipynb", ["1"]),
        (FIRST_NAMES, "{name}_{file}", "Cem_Can_01_sums.ipynb", ["3"]),
        (FIRST_NAMES.replace("1,Anna\n", ""), "{name}-{file}", "Anna-Lena-01_sums.ipynb", ["2"]),
    ],
)
def test_a_pattern_gives_nobodys_work_to_one_who_is_called_nearly_so(course, collect, lines, pattern, file, whose):
    """By its id and its login, be it longer than it seems; where that is more than one person, none gets it."""
    (course.classroom / "roster.csv").write_text(lines)
    status, said = collect({file: "work"}, "--pattern", pattern)
    if len(whose) == 1:
        assert status == 0 and submitted(course) == {f"{whose[0]}/{LESSON}": "work"}
    else:
        assert status == 1 and submitted(course) == {} and f"may be {' or '.join(whose)}." in said


@pytest.mark.parametrize(
    ("file", "pattern", "advice"),
    [
        ("Anna A_1_assignsubmission_file/01_sums.ipynb", "", "Put the notebook of each into their folder"),
        ("annaa_1_2_01_sums.ipynb", "", "Write what Canvas calls them into classroom/roster.csv"),
        ("Anna A_01_sums.ipynb", "{name}_{file}", "Say more in the pattern, or put the notebook of each"),
    ],
)
def test_of_namesakes_it_is_said_what_helps(course, collect, file, pattern, advice):
    (course.classroom / "roster.csv").write_text("id,name\n1,Anna A\n2,Anna A\n")
    status, said = collect({file: "work"}, *(["--pattern", pattern] if pattern else []))
    assert status == 1 and submitted(course) == {} and f"may be 1 or 2. {advice}" in said


def test_a_disk_that_fills_while_a_folder_is_copied_ends_collecting(course, roster, tmp_path, capsys, monkeypatch):
    """Else half of the newest attempt would be taken, or the one before it as the newest."""
    first, last = (f"Lab_ada_attempt_2026-01-0{day}-10-00-00_01_sums.ipynb" for day in (1, 2))
    folder = tmp_path / "downloaded"
    folder.mkdir()
    for name in (first, last):
        (folder / name).write_text(name)

    def full(source: Path, dest: Path, limit: int) -> int:
        if source.name == last:
            raise OSError(28, "No space left on device", str(dest))
        return copy_plain(source, dest, limit)

    monkeypatch.setattr("autograder.classroom.collect.copy_plain", full)
    for files in ([folder], [folder / first, folder / last]):
        assert main(["collect", *map(str, files)]) == 2 and submitted(course) == {}
        assert "The disk has no room left for a copy of the download. Nothing was collected" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setenv("COURSE_ROOT", str(course.root))
    assert main(["collect", str(folder)]) == 0 and submitted(course) == {f"ada/{LESSON}": last}


def test_bad_archives_are_sentences_and_the_others_are_collected(course, roster, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 100_000)
    bomb, out, none = tmp_path / "bomb.zip", tmp_path / "out.zip", tmp_path / "none.zip"
    good = tmp_path / "good.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("lovelaceada_340934_1_01_sums.ipynb", b"\0" * 1_000_000)
    with zipfile.ZipFile(out, "w") as opened:
        opened.writestr("../../núñezjosé_1_2_01_sums.ipynb", "out")
    with zipfile.ZipFile(good, "w") as opened:
        opened.writestr("lovelaceada_340934_1_01_sums.ipynb", "good")
    (tmp_path / "broken.zip").write_bytes(b"PK\x05\x06")
    files = [bomb, out, none, tmp_path / "broken.zip", good]
    assert main(["collect", *map(str, files)]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "bomb.zip: lovelaceada_340934_1_01_sums.ipynb was left out: it has more than" in said
    assert "bomb.zip was not collected: there is no notebook" in said
    assert "out.zip: ../../núñezjosé_1_2_01_sums.ipynb was left out: it is a link, leads out of its folder" in said
    assert "none.zip was not collected: it is not readable" in said and "broken.zip was not collected" in said
    assert submitted(course) == {f"ada/{LESSON}": "good"} and not list(tmp_path.glob("*.ipynb"))


NO_LISTS = ["", "- a\n- b\n", "a: [", "submission_11: 3\n", "a: &a [*a]\n", "[" * 200_000]
NO_LISTS += ["a: !!bool x\n", "a: !!int ''\n", "a: !!float " + "'1" + ":1" * 190 + "'\n"]


@pytest.mark.parametrize("text", NO_LISTS)
def test_a_list_of_gradescope_that_is_none_is_a_sentence(course, roster, collect, text):
    status, said = collect({"x/submission_metadata.yml": text, "x/submission_11/01_sums.ipynb": "x"})
    assert status == 1 and not submitted(course)
    assert "submission_metadata.yml cannot be read" in said or "does not name files that way" in said


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a {k: 1}\nb: {<<: [*a, *a]}\n",
        "a: 1" + ":1" * 200 + "\n",
        'a: !!int "' + "1:" * 200 + '1"\n',
        'a: !!int " ' + "1: " * 200 + '1"\n',
    ],
)
def test_a_list_that_takes_far_more_than_its_length_is_not_loaded(course, roster, collect, bomb):
    status, said = collect({"x/submission_metadata.yml": YML + bomb, "x/submission_11/01_sums.ipynb": "x"})
    assert status == 1 and "cannot be read (it is no list of Gradescope's)" in said and not submitted(course)


SWAPPED = """\
"Ada Lovelace_12345_assignsubmission_file":
  :created_at: 2020-01-01 00:00:00
  :submitters: [{":email": jose@example.org}]
"José Núñez_12346_assignsubmission_file_":
  :submitters: [{":email": ada@example.org}]
submission_1:
  :submitters: [{":email": jose@example.org}]
"""


def test_a_list_in_a_folder_of_everybodys_own_folders_is_a_learners(course, roster, collect):
    """Gradescope numbers its folders; a learner can list others, and say whose they are."""
    swapped = (
        '"Ada Lovelace - work":\n  :created_at: 2020-01-01 00:00:00\n  :submitters: [{":email": jose@example.org}]\n'
    )
    names = {"Ada Lovelace": "ada", "José Núñez": "josé", "Seán O'Neill": "seán"}
    files = {f"hw/{name} - work/01_sums.ipynb": text for name, text in names.items()}
    _, said = collect({"hw/submission_metadata.yml": swapped, **files})
    assert "Gradescope" not in said and submitted(course).get(f"jose/{LESSON}", "josé") == "josé"


def test_a_folder_of_the_teachers_own_in_an_export_of_gradescopes_hides_nobody(course, roster, collect):
    files = {"a/submission_metadata.yml": YML, "a/submission_11/01_sums.ipynb": "both", "a/submission_12/x.txt": "x"}
    _, said = collect(files | {"a/reference/01_sums.ipynb": "the teacher's"}, "--from", "gradescope")
    assert submitted(course) == {f"ada/{LESSON}": "both", f"jose/{LESSON}": "both"} and "reference" in said


def test_what_a_learner_calls_a_file_makes_it_nobody_elses_in_moodle(course, roster, collect):
    """Where a name or a file's name holds what Moodle puts between them, nobody can tell which it is."""
    files = {
        "Team1-José Núñez_1_assignsubmission_file_01_sums.ipynb": "josé",
        "Team1-Jörg Müller_5_assignsubmission_file_01_sums.ipynb": "jörg",
        "Team1-Seán O'Neill_4_assignsubmission_file_x-Ada Lovelace_2_assignsubmission_file_01_sums.ipynb": "seán",
    }
    status, said = collect(files)
    assert submitted(course) == {f"jose/{LESSON}": "josé", f"mueller/{LESSON}": "jörg"}
    assert status == 1 and "x-Ada Lovelace_2_assignsubmission_file_01_sums.ipynb: not taken; Moodle" in said


@pytest.mark.parametrize("end", ["/", "_/", "_"])
@pytest.mark.parametrize(
    "more", ["_x_7_assignsubmission_file", "_7_assignsubmission_file", "_x_7_assignsubmission_onlinetext"]
)
@pytest.mark.parametrize("own", [True, False])
def test_what_people_call_themselves_in_moodle_makes_them_nobody_else(course, roster, collect, end, more, own):
    files = {
        f"José Núñez_1_assignsubmission_file{end}01_sums.ipynb": "josé",
        f"Ada Lovelace_2_assignsubmission_file{more}{end}01_sums.ipynb": "another's",
    }
    mine = {f"Ada Lovelace_3_assignsubmission_file{end}01_sums.ipynb": "ada"}
    collect(files | (mine if own else {}))
    assert submitted(course) == {f"jose/{LESSON}": "josé"} | ({f"ada/{LESSON}": "ada"} if own else {})


def test_what_a_learner_calls_an_archive_makes_it_nobody_elses_in_moodle(course, roster, collect):
    inside = packed({"01_sums.ipynb": "josé's"})
    files = {
        "T1-José Núñez_2_assignsubmission_file_x-Ada Lovelace_1_assignsubmission_file_.zip": inside,
        "T1-Ada Lovelace_1_assignsubmission_file_01_sums.ipynb": "ada",
        "T2-Jörg Müller_3_assignsubmission_file_01_sums.ipynb": "jörg",
    }
    status, said = collect(files)
    assert submitted(course) == {f"ada/{LESSON}": "ada", f"mueller/{LESSON}": "jörg"}
    assert status == 1 and "not taken; Moodle" in said


def test_a_mark_is_about_the_date_of_the_lesson_that_the_download_is_of(course, roster, collect):
    """Canvas marks nothing as late of an assignment that is open, whatever lesson a file is named after."""
    source = course.source("02_lists")
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("")
    _, said = collect(CANVAS | {"lovelaceada_340934_208490289_02_lists.ipynb": "of another lesson"})
    assert "ada, 02_lists: it came with another lesson's files" in said
    submission = course.classroom / "submitted" / "ada" / "02_lists"
    assert "may be late" in odd_time(Task("ada", "02_lists", submission), is_due=True)
    assert odd_time(Task("ada", LESSON, submission.parent / LESSON), is_due=True) == ""


def of_the_other_lesson(file: str) -> str:
    """A file of Canvas's as it is in the download of lesson 02, with another number."""
    return file.replace("_2084", "_2094").replace("01_sums", "02_lists").replace("01 sums", "02 lists")


@pytest.mark.parametrize("places", [("01.zip/", "02.zip/"), ("", "")])
def test_marks_stay_where_a_folder_has_two_downloads_or_an_assignment_two_lessons(course, roster, collect, places):
    second = {of_the_other_lesson(file): text for file, text in list(CANVAS.items())[:2]}
    everything = {places[0] + file: text for file, text in CANVAS.items()}
    _, said = collect(everything | {places[1] + file: text for file, text in second.items()})
    assert "came with" not in said
    marks = {"jose": "Canvas marks this as late, and says no time.", "ada": ""}
    for student, mark in marks.items():
        there = course.classroom / "submitted" / student / "02_lists"
        assert odd_time(Task(student, "02_lists", there), is_due=True) == mark


@pytest.mark.parametrize("more", [True, False])
@pytest.mark.parametrize("same", [True, False])
def test_a_copy_beside_another_lesson_does_not_take_the_mark_away(course, roster, collect, same, more):
    first = {f"01.zip/{file}": text for file, text in CANVAS.items()}
    second = {f"02.zip/{of_the_other_lesson(file)}": text for file, text in CANVAS.items()}
    again = {"02.zip/núñezjosé_340935_209490299_01_sums.ipynb": "josé" if same else "a newer one"}
    collect(first | (second if more else {"02.zip/núñezjosé_340935_209490298_02_lists.ipynb": "josé"}) | again)
    there = course.classroom / "submitted" / "jose" / LESSON
    assert odd_time(Task("jose", LESSON, there)) == "Canvas marks this as late, and says no time."


@pytest.mark.parametrize("lessons", [1, 2])
def test_what_is_handed_in_again_after_the_date_was_moved_is_not_late(course, roster, collect, lessons):
    again = {name.replace("LATE_340935_208490285", "340935_208490385"): f"{text} 2" for name, text in CANVAS.items()}
    files = {f"1.zip/{name}": text for name, text in CANVAS.items()} | {f"2.zip/{n}": t for n, t in again.items()}
    collect(files | ({of_the_other_lesson(name): text for name, text in files.items()} if lessons == 2 else {}))
    there = course.classroom / "submitted" / "jose" / LESSON
    assert (there / f"{LESSON}.ipynb").read_text() == "josé 2"
    assert odd_time(Task("jose", LESSON, there)) == ""


def test_a_late_date_of_another_lesson_does_not_make_work_late(course, roster, collect):
    """The same 01 put in once more with a late 02; a late file that came after the one that is taken."""
    first = {f"01.zip/{file}": text for file, text in CANVAS.items()}
    second = {f"02.zip/{of_the_other_lesson(file)}": text for file, text in CANVAS.items()}
    again = {"02.zip/lovelaceada_LATE_340934_209490299_01_sums.ipynb": "ada"}
    later = {"03.zip/lovelaceada_LATE_340934_209490300_notebook.ipynb": "later"}
    for files, options in ((first | second | again, ()), (first | later, ("--lesson", LESSON))):
        collect(files, *options)
        there = course.classroom / "submitted" / "ada" / LESSON
        assert odd_time(Task("ada", LESSON, there), is_due=True) == ""
        shutil.rmtree(course.classroom / "submitted")
        shutil.rmtree(course.classroom / "collected")


def test_one_learners_many_files_make_nobody_elses_work_one_of_another_lesson(course, roster, collect):
    source = course.source("02_lists")
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("")
    many = {f"núñezjosé_340935_20849029{number}_02_lists-{number}.ipynb": "josé's" for number in range(5)}
    none = {f"oneillseán_340936_20849039{number}_notes{number}.ipynb": "seán's" for number in range(5)}
    _, said = collect(CANVAS | many | none)
    assert "jose, 02_lists: it came with another lesson's files" in said and said.count("it came with") == 1
    task = Task("ada", LESSON, course.classroom / "submitted" / "ada" / LESSON)
    assert odd_time(task, is_due=True) == ""


@pytest.mark.parametrize("others", [True, False])
def test_a_list_that_a_learner_hands_in_says_nothing(course, roster, collect, others):
    first = next(iter(MOODLE)).split("/")[0]
    files = {f"{first}/submission_metadata.yml": SWAPPED, f"{first}/submission_1/01_sums.ipynb": "ada"}
    status, said = collect(files | (dict(list(MOODLE.items())[1:]) if others else {}))
    assert status == 0 and "from Moodle." in said
    assert submitted(course) == {f"ada/{LESSON}": "ada"} | (
        {f"jose/{LESSON}": "josé", f"o_neill/{LESSON}": "seán"} if others else {}
    )
    assert not list(course.classroom.rglob("timestamp.txt"))


@pytest.mark.parametrize(
    "about",
    [
        ":submitters: 5",
        ":submitters: [{':name': [x, y], ':email': {a: b}, ':sid': true}]",
        ":submitters: []\n  :created_at: 0001-01-01 00:00:00 +14:00",
        ":submitters: [{':name': &a [" + "x, " * 1000 + "], ':sid': &b [*a, *a, *a], ':email': [*b, *b, *b]}]",
    ],
)
def test_odd_values_in_a_list_are_nobody(course, roster, collect, about):
    files = {"x/submission_metadata.yml": f"submission_11:\n  {about}\n", "x/submission_11/01_sums.ipynb": "x"}
    status, said = collect(files)
    assert status == 1 and not submitted(course) and "does not name files that way" in said


def test_what_is_wrong_with_one_learners_files_stops_nobody_else(course, roster, collect, monkeypatch):
    there = course.classroom / "submitted" / "ada" / LESSON
    there.mkdir(parents=True)
    (there / f"{LESSON}.ipynb").write_bytes(b"x" * 200_000)
    monkeypatch.setattr("autograder.classroom.collect.MAX_FILE_BYTES", 100_000)
    status, said = collect(CANVAS)
    assert status == 1 and f"ada, {LESSON}: something else is there already" in said
    assert {f"jose/{LESSON}": "josé", f"o_neill/{LESSON}": "seán"}.items() <= submitted(course).items()


def test_what_moodle_calls_the_folder_is_kept_for_feedback(course, roster, collect):
    collect(MOODLE)
    note = json.loads((course.classroom / "collected" / LESSON / "ada.json").read_text())
    assert note["folder"] == "Ada Lovelace_12345_assignsubmission_file" and note["system"] == "Moodle"


@pytest.mark.skipif(not hasattr(os, "symlink") or sys.platform == "win32", reason="links need rights there")
def test_a_learners_folder_that_is_a_link_is_not_written_through(course, roster, collect, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (course.classroom / "submitted").mkdir()
    (course.classroom / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    status, said = collect({"Ada Lovelace_1_assignsubmission_file/01_sums.ipynb": "ada"})
    assert status == 1 and "no plain folder" in said and not list(Path(tmp_path / "elsewhere").iterdir())


def test_where_canvas_hides_names_that_is_said(course, roster, collect):
    status, said = collect({"anon_xK3f2_208490284_01_sums.ipynb": "x", "LATE_anon_yY1a3_208490285_01_sums.ipynb": "y"})
    assert status == 1 and not submitted(course)
    assert (
        "Canvas was told to hide names (anon_xK3f2); download it once names are shown" in said and "anon_yY1a3" in said
    )


def packed(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return made.getvalue()


def tarred(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as opened:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            opened.addfile(about, io.BytesIO(content.encode()))
    return made.getvalue()


FORGED = {
    "blackboard": (
        "Lab 1.2_{}_attempt_2026-01-01-00-00-00_{}",
        "x_ada_attempt_2027-01-01-00-00-00_01_sums.ipynb",
    ),
    "moodle": ("{}_103_assignsubmission_file_{}", "Ada Lovelace_101_assignsubmission_file_01_sums.ipynb"),
    "google": ("{} - {}", "Ada Lovelace - 01_sums.ipynb"),
    "canvas": ("{}_9.5_7_8_{}", "lovelaceada_340934_9_01_sums.ipynb"),
}


@pytest.mark.parametrize("system", FORGED)
@pytest.mark.parametrize("called", ["hw.zip", ".zip", "a.b.tar.zip"])
def test_a_learners_zip_is_theirs_whatever_lies_in_it_and_wherever_a_name_has_a_dot(course, collect, system, called):
    """What the system put in front of the zip's name says whose it is, not the names inside."""
    shape, forged = FORGED[system]
    (course.classroom / "roster.csv").write_text("id,name,canvas_id\nada,Ada Lovelace,340934\njr,J. R. Mal,7\n")
    mal = "jr" if system == "blackboard" else "J. R. Mal"
    status, said = collect({shape.format(mal, called): packed({forged: "mal's"})}, "--from", system)
    assert status == 0 and submitted(course) == {f"jr/{LESSON}": "mal's"}, said


@pytest.mark.parametrize(
    "odd",
    [
        {"mmal_3_13_" + "x" * 300 + ".ipynb": "1"},
        {"mmal_3_13_" + "ж" * 130 + ".ipynb": "1"},
        {"mmal_3_13_hw.zip": packed({"01_sums.ipynb": "mal"}), "mmal_3_13_hw": "1"},
        {"mmal_3_13_hw.zip": packed({"01_sums.ipynb": "mal"}), "mmal_3_13_hw/a.ipynb": "1"},
        {"mmal_3_13_x.ipynb": "1", "mmal_3_13_x.ipynb/a.ipynb": "1"},
        {"mmal_3_13_movie.ipynb": "1" * 300_000},
        {"mmal_3_13_movie.mp4": "1" * 300_000},
    ],
    ids=["long name", "long name in Cyrillic", "file for folder", "folder", "folder for file", "large", "movie"],
)
def test_one_learners_file_leaves_the_others_of_the_classes_zip(course, roster, collect, tmp_path, monkeypatch, odd):
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 100_000)
    collect({**odd, **CANVAS})
    there = submitted(course)
    assert {f"ada/{LESSON}": "ada", f"jose/{LESSON}": "josé", f"o_neill/{LESSON}": "seán"}.items() <= there.items()
    status, said = collect({**odd, **CANVAS})
    assert "download.zip was not collected" not in said and tempfile.gettempdir() not in said


def test_a_folder_keeps_a_learners_zip_and_folder_of_one_name_apart(course, roster, tmp_path, capsys):
    folder = tmp_path / "downloaded"
    (folder / "lovelaceada_340934_1_hw").mkdir(parents=True)
    (folder / "lovelaceada_340934_1_hw" / "a.ipynb").write_text("unpacked")
    (folder / "lovelaceada_340934_1_hw.zip").write_bytes(packed({"a.ipynb": "zipped", "01_sums.ipynb": "named"}))
    main(["collect", str(folder)])
    said = " ".join(capsys.readouterr().out.split())
    assert submitted(course) == {f"ada/{LESSON}": "named"}
    assert "1_hw/a.ipynb: not taken" in said and "1_hw-2/a.ipynb: not taken" in said


def test_a_write_that_fails_leaves_what_was_there_and_nothing_half(course, roster, collect, monkeypatch):
    name = "lovelaceada_340934_{}_01_sums.ipynb"
    collect({name.format(1): "old"})
    real = write_whole

    def full(path: Path, data: bytes) -> None:
        if data.decode() in ("new", "josé"):
            path.parent.mkdir(parents=True, exist_ok=True)
            raise OSError(28, "No space left on device", str(path))
        real(path, data)

    monkeypatch.setattr("autograder.classroom.collect.write_whole", full)
    new = {name.format(2): "new", "núñezjosé_LATE_340935_3_01_sums-1.ipynb": "josé"}
    status, said = collect(new, "--replace")
    assert status == 1 and "ada, 01_sums: not taken: No space left on device" in said
    assert submitted(course) == {f"ada/{LESSON}": "old"}
    there = (course.classroom / "submitted").rglob("*")
    assert sorted(path.name for path in there) == [LESSON, f"{LESSON}.ipynb", "ada"]
    assert not list(course.classroom.glob("replaced/*/*/*"))
    monkeypatch.undo()
    monkeypatch.setenv("COURSE_ROOT", str(course.root))
    assert collect(new, "--replace")[0] == 0
    assert submitted(course) == {f"ada/{LESSON}": "new", f"jose/{LESSON}": "josé"}


def test_a_folder_without_a_notebook_is_nothing_that_was_handed_in(course, roster, collect):
    for student in ("ada", "jose"):
        (course.classroom / "submitted" / student / LESSON).mkdir(parents=True)
    (course.classroom / "submitted" / "jose" / LESSON / "timestamp.txt").write_text("2026-01-01 10:00:00 UTC")
    (course.classroom / "submitted" / "ada" / ".01_sums.1.unfinished").mkdir()
    status, said = collect(CANVAS)
    assert status == 0 and len(submitted(course)) == 3, said
    assert said.count("what was there is kept in classroom/replaced/01_sums/jose/1") == 1 and "ada/1" not in said
    assert [path.name for path in (course.classroom / "submitted" / "ada").iterdir()] == [LESSON]


def test_a_broken_line_of_the_roster_harms_that_line_alone(course, roster, collect):
    with (course.classroom / "roster.csv").open("a") as file:
        file.write('eve,"Eve" E,,9,\n')
    status, said = collect(CANVAS)
    assert status == 1 and len(submitted(course)) == 3 and "roster.csv, line 6 is left out" in said


@pytest.mark.parametrize("text", ["name\nAda Lovelace\n", 'id,name\nada,"Ada" L\n', "\0"])
def test_a_roster_that_cannot_be_read_stops_collecting_with_its_own_sentence(course, collect, capsys, text):
    (course.classroom / "roster.csv").write_text(text)
    with zipfile.ZipFile(course.root / "s.zip", "w") as opened:
        opened.writestr(next(iter(CANVAS)), "ada")
    assert main(["collect", str(course.root / "s.zip")]) == 2
    said = capsys.readouterr().err
    assert "classroom/roster.csv" in said and said.strip().endswith("Nothing was collected.")
    assert "is not in classroom/roster.csv" not in said and not submitted(course)


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        ("am,Ada-Maria Lovelace\nm,Maria Lovelace", ["am"]),
        ("m,Maria Lovelace", []),
        ("m,Maria Lovelace\nbob,Bob B", ["bob"]),
    ],
)
def test_a_hyphen_in_a_persons_name_is_no_teams(course, collect, names, taken):
    (course.classroom / "roster.csv").write_text(f"id,name\n{names}\n")
    files = {"Ada-Maria Lovelace_101_assignsubmission_file_/01_sums.ipynb": "am"}
    files |= {"Bob B_102_assignsubmission_file_/01_sums.ipynb": "bob"} if "bob" in names else {}
    status, said = collect(files)
    assert list(submitted(course)) == [f"{student}/{LESSON}" for student in taken]
    assert taken == ["am"] or "not taken, as Ada-Maria Lovelace is not in classroom/roster.csv" in said


def test_who_is_found_behind_a_teams_name_is_said(course, roster, collect):
    status, said = collect(TEAMS)
    assert status == 0 and "What stands before a hyphen is read as a team's name: Group A-Ada Lovelace is ada" in said


def test_one_learners_name_of_a_file_does_not_choose_the_system(course, roster, collect):
    """Of Google's names only that of the learner is its own."""
    files = GOOGLE | {"Sums/Jörg Müller - x_1_2_01_sums.ipynb": "jörg"}
    status, said = collect(files)
    assert status == 0 and "4 notebooks from Google Classroom" in said and len(submitted(course)) == 4
    shared = {f"week 1 - sums/{name}": text for name, text in CANVAS.items()} | {"week 1 - sums/readme.ipynb": "x"}
    assert "3 notebooks from Canvas" in collect(shared)[1]


def test_a_teams_name_that_nobody_shares_is_to_be_looked_at(course, collect):
    (course.classroom / "roster.csv").write_text("id,name\nlena,Lena Meier\nkarl,Karl-Heinz Roth\n")
    moodle = "{}_{}_assignsubmission_file/01_sums.ipynb"
    names = ("Anna-Lena Meier", "Karl-Heinz Roth")
    status, said = collect({moodle.format(name, number): name for number, name in enumerate(names)})
    assert status == 1 and "! What stands before a hyphen is read as a team's name: Anna-Lena Meier is lena." in said
    assert "No two people share one" in said


@pytest.mark.parametrize(
    ("honest", "called"), [({}, "x.zip"), ({"Sums/Ada Lovelace - 01_sums.ipynb": "ada"}, "Jörg Müller - x.zip")]
)
def test_names_in_one_learners_zip_do_not_choose_the_system(course, roster, collect, honest, called):
    forged = {f"lovelaceada_340934_{number}_01_sums - {number}.ipynb": "forged" for number in range(9)}
    status, said = collect((honest or GOOGLE) | {f"Sums/{called}": packed(forged)})
    assert "notebooks from Google Classroom" in said and submitted(course)[f"ada/{LESSON}"] == "ada"
    assert "forged" not in [text for folder, text in submitted(course).items() if "mueller" not in folder]


def test_sections_may_lie_in_folders_and_many_files_of_another_shape_are_asked_about(course, roster, collect):
    sections = {f"section {number}/{name}": text for number, (name, text) in enumerate(CANVAS.items())}
    status, said = collect(sections)
    assert status == 0 and "3 notebooks from Canvas" in said and len(submitted(course)) == 3
    forged = {f"Sums/lovelaceada_340934_{number}_01_sums.ipynb": f"{number}" for number in range(9)}
    status, said = collect(GOOGLE | forged)
    assert status == 1 and "may come from Canvas or Google Classroom. Say which: --from" in said


@pytest.mark.parametrize("files", [1, 30])
def test_odd_names_of_one_learner_do_not_choose_the_system(course, collect, files):
    moodle = "{}_{}_assignsubmission_file_01_sums.ipynb"
    names = {moodle.format(f"Ada{chr(97 + number)} Lovelace", 100 + number): f"{number}" for number in range(12)}
    odd = {f"Eve Snow_2000_assignsubmission_file_9_assignsubmission_{n} - x.ipynb": "odd" for n in range(files)}
    _, said = collect(names | odd)
    assert "notebooks from Moodle" in said and len(submitted(course)) == 12


def test_who_handed_in_something_else_than_a_notebook_is_named(course, roster, collect, tmp_path, capsys):
    files = CANVAS | {f"lovelaceada_340934_{number}_x.pdf": "beside a notebook" for number in range(9)}
    files |= {f"müllerjörg_9_{number}_01_sums.ipynb.txt": "saved by a browser" for number in range(9)}
    files |= {"evee_7_8_work.rar": "Rar!", "__MACOSX/dan_5_6_x.txt": "x", "readme.txt": "x"}
    status, said = collect(files | {"zoe_4_5_hw.zip": packed({"a.py": "1", "fay_1_2_x.py": "1"})})
    sentence = "no notebook (.ipynb) is among what one learner handed in last: "
    assert status == 1 and len(submitted(course)) == 3 and said.count(sentence) == 3
    assert f"{sentence}evee_7_8_work.rar." in said and f"{sentence}zoe_4_5_hw.zip." in said
    assert f"{sentence}müllerjörg_9_0_01_sums.ipynb.txt" in said
    folder = tmp_path / "Eve E_12_assignsubmission_file"
    (tmp_path / "all" / folder.name).mkdir(parents=True)
    (tmp_path / "all" / folder.name / "work.py").write_text("1")
    (tmp_path / "all" / "Ada Lovelace_13_assignsubmission_file_01_sums.ipynb").write_text("ada")
    assert main(["collect", str(tmp_path / "all")]) == 1
    assert f"{sentence}Eve E_12_assignsubmission_file/work.py." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("below", ["", "A/B/C/"])
@pytest.mark.parametrize("where", ["a zip", "two zips", "a folder", "a folder of sections"])
def test_who_handed_in_no_notebook_is_named_in_a_sections_zip_too(
    course, roster, collect, tmp_path, capsys, where, below
):
    """But not whom a learner's own archive names."""
    name = (below + "{}_{}_assignsubmission_file/{}").format
    section: dict[str, Any] = {
        name("Ada Lovelace", 1, "01_sums.ipynb"): "ada",
        name("Ada Lovelace", 1, "notes.pdf"): "beside it",
    }
    section |= {name("José Núñez", 2, "01_sums.ipynb.txt"): "jose", name("Eve Snow", 3, "w.7z"): "7z"}
    section |= {name("Mia M", 4, "w.zip"): packed({name("Zoe Z", 5, "x.txt"): "x", ".venv/a/b/c/d.py": "x"})}
    folder = tmp_path / "downloaded"
    folder.mkdir()
    (folder / "Lab 1.zip").write_bytes(packed(section))
    if where == "a folder of sections":
        (folder / "B.zip").write_bytes(packed({name("Sam S", 9, "01_sums.ipynb"): "sam", "x.txt": "x"}))
    if "zip" in where:
        files = {"Lab 1.zip": packed(section)} if where == "two zips" else section
        status, said = collect(files)
    else:
        status = main(["collect", str(folder)])
        said = " ".join(capsys.readouterr().out.split())
    sentence = "no notebook (.ipynb) is among what one learner handed in last: "
    above = "" if where == "a zip" else "Lab 1/"
    assert status == 1 and submitted(course) == {f"ada/{LESSON}": "ada"} and said.count(sentence) == 3
    for who, number, file in (("José Núñez", 2, "01_sums.ipynb.txt"), ("Eve Snow", 3, "w.7z"), ("Mia M", 4, "w.zip")):
        assert f"{sentence}{above}{name(who, number, file)}." in said


@pytest.mark.parametrize(
    ("ada", "jose"),
    [
        ("lovelaceada_340934_{}_{}", "núñezjosé_340935_{}_{}"),
        ("Ada Lovelace - {1}", "José Núñez - {1}"),
        ("Lab_ada_attempt_2026-11-10-10-00-{}_{}", "Lab_jose_attempt_2026-11-10-10-00-{}_{}"),
        ("Lovelace_Ada_ada_7/{1}", "Nunez_Jose_jose_8/{1}"),
    ],
    ids=["canvas", "google", "blackboard", "ilias"],
)
@pytest.mark.parametrize("zips", [False, True])
def test_who_handed_in_a_notebook_for_one_of_two_assignments_is_named_for_the_other(
    course, roster, collect, ada, jose, zips
):
    """But not who handed in an archive with a notebook, is in another section, or in what nobody has notebooks for."""
    first = {ada.format(10, "01_sums.ipynb"): "ada", jose.format(10, "work.zip"): packed({"a/01_sums.ipynb": "jose"})}
    first |= {ada.format(10, "notes.pdf"): "x", jose.format(10, "notes.pdf"): "x"}
    second = {ada.format(20, "02_lists.ipynb.txt"): "ada", jose.format(20, "02_lists.ipynb"): "jose"}
    section = {ada.format(30, "01_sums.ipynb"): "ada"}
    essays = {ada.format(15, "essay.pdf"): "x", jose.format(15, "essay.pdf"): "x"}
    folders: dict[str, dict[str, Any]] = {"Lab 1": first, "Lab 2": second, "Section B": section, "Essay": essays}
    together = {f"{place}/{name}": file for place, files in folders.items() for name, file in files.items()}
    status, said = collect({f"{place}.zip": packed(files) for place, files in folders.items()} if zips else together)
    assert status == 1 and said.count("handed in last") == 1, said
    assert f"handed in last: Lab 2/{ada.format(20, '02_lists.ipynb.txt')}." in said


def test_a_folder_of_googles_that_came_in_two_zips_is_of_one_assignment(course, roster, collect):
    parts = ({"Lab 1/Ada Lovelace - 01_sums.ipynb": "1"}, {"Lab 1/Ada Lovelace - notes.pdf": "x"})
    parts[1]["Lab 1/José Núñez - 01_sums.ipynb"] = "2"
    status, said = collect(
        {f"Lab 1-20261110T100000Z-00{number}.zip": packed(part) for number, part in enumerate(parts)}
    )
    assert status == 0 and len(submitted(course)) == 2, said


SCHMIDT = "id,name,login\n4711,Anna Weber-Schmidt,\n4712,Anna Weber,aw\n"
PARTS = "id,name\n4,Anna Maria Weber\n5,Jörg Müller\n6,Seán O'Neill\n7,Eva Weber\n"
LETTERS = "id,name\n1,Person A\n2,Person B\n3,Person C\n4,Person D\n"
NUMBERED = "id,name\n" + "".join(f"{number:02},Person N{number:02}\n" for number in range(1, 10))
UP_TO_13 = "id,name\n" + "".join(f"{number},Team {number}\n" for number in range(1, 14))
SHORT = "id,name\n4711,Anna\n4712,Anna K.\n4713,Bo\n"
PAIR = "id,name\nada,Ada Lovelace\nbob,Bob King\n"
NAMESAKES = "id,name,login\n4711,Anna Weber,\n4712,Anna Weber,\n"


@pytest.mark.parametrize(
    ("people", "pattern", "files", "taken"),
    [
        (SCHMIDT, "{name}_{id}_{file}", ["Anna_Weber_4711_01_sums.ipynb"], {"4711": 0}),
        (SCHMIDT, "{name}-{id}/{file}", ["Anna-Weber-4711/01_sums.ipynb"], {"4711": 0}),
        (
            SCHMIDT,
            "{name}_{id}_{file}",
            ["Anna_Weber_4711_01.ipynb", "Anna_Weber_4712_01.ipynb"],
            {"4711": 0, "4712": 1},
        ),
        (
            NAMESAKES,
            "{name}_{id}_{file}",
            ["Anna_Weber_4711_01.ipynb", "Anna_Weber_4712_01.ipynb"],
            {"4711": 0, "4712": 1},
        ),
        (
            "id,name,login\n1,Anna Weber,aw\n2,Tim Anna,anna\n",
            "{name}_{id}_{file}",
            ["Weber_Anna_1_01.ipynb"],
            {"1": 0},
        ),
        (
            "id,name\n4712,Anna Weber\n",
            "{name}_{id}_{file}",
            ["Anna Weber_4711_01.ipynb", "Anna Weber_4712_01.ipynb"],
            {"4712": 1},
        ),
        ("id,name\n4712,Anna Weber\n", "{name}_{id}_{file}", ["Anna Weber_s99_01.ipynb"], {"4712": 0}),
        # the name behind which an id stands may be part of the roster's, or be spelled in another way
        (
            PARTS,
            "{name}_{id}_{file}",
            ["Anna_Weber_4_01.ipynb", "Joerg_Mueller_5_01.ipynb", "Sean_ONeill_6_01.ipynb", "Eva_Weber_7_4_01.ipynb"],
            {"4": 0, "5": 1, "6": 2, "7": 3},
        ),
        # behind the system's own id a learner names a file
        (
            LETTERS,
            "{name}_{id}_{file}",
            ["Person B_88123_part_1_x.ipynb", "Person C_88124_01.ipynb", "Person D_88125_v_2_x.ipynb"],
            {"2": 0, "3": 1, "4": 2},
        ),
        (NUMBERED, "{name}_{id}_{file}", [f"Person N{n:02}_{n:02}_01_x.ipynb" for n in range(1, 10)], "all"),
        (
            "id,name\nada,Ada Lovelace\n",
            "{name}_{id}_{time}_{file}",
            ["Ada Lovelace_ada_2026-11-10_01.ipynb", "Eve Adams_eve_2026-11-11_ada_2026-11-11_01.ipynb"],
            {"ada": 0},
        ),
        (PAIR, "{name}_{id}_{file}", ["Ada Lovelace_s12_01.ipynb", "Bob King_s99_ada_01.ipynb"], {"ada": 0, "bob": 1}),
        (PAIR, "{name}_{id}_{file}", ["Ada Lovelace_ada_ada_bob_01.ipynb"], {"ada": 0}),
        # nor does a learner's own file that is called after another one
        (PAIR, "{name}_{id}_{file}", ["Bob King_s99_Ada_Lovelace_ada_01.ipynb"], {"bob": 0}),
        (PAIR, "{name}_{id}_{file}", ["Bob_King_s99_Ada_Lovelace_ada_01.ipynb"], {}),
        (PAIR, "{name}-{id}-{file}", ["Bob King-s99-Ada-Lovelace-ada-01.ipynb"], {"bob": 0}),
        (
            "id,name\n4711,Ada Lovelace\n4712,Robert King\n",
            "{time}_{name}_{id}_{file}",
            [
                "2026-11-01 10:00_Ada Lovelace_4711_01.ipynb",
                "2026-11-02 10:00_Bobby King_4712_Ada_Lovelace_4711_01.ipynb",
                "2026-11-03 10:00_Eve Adams_4713_Ada_Lovelace_4711_01.ipynb",
            ],
            {"4711": 0, "4712": 1},
        ),
        (
            "id,name\nada,Ada Lovelace\neve,Ada King\n",
            "{name}_{id}_{file}",
            ["Ada_King_3409_Lovelace_ada_01.ipynb"],
            {},
        ),
        ("id,name\n01,\n17,\n", "{name}_{id}_{file}", ["Ada Lovelace_17_01_sums.ipynb"], {"17": 0}),
        ("id,name\n01,Ada\n02,Ada King\n", "{name}_{id}_{file}", ["Ada King_02_01_sums.ipynb"], {"02": 0}),
        (NUMBERED, "{name}_{id}_{file}", ["Person N02__01_x.ipynb", "___01_x.ipynb"], {"02": 0}),
        # where the longer name is another one than that of whose the id is, nobody's work is taken for another's
        (SHORT, "{name}_{id}_{file}", ["Anna_Koch_4712_01.ipynb", "Bo_Li_4713_01.ipynb"], {"4713": 1}),
        (
            "id,name\n4711,Anna Weber\n4712,Ania Weber\n4713,Anna\n",
            "{name}_{id}_{file}",
            ["Anna_Weber_4712_01.ipynb", "Anna_Maria_Weber_4711_01.ipynb"],
            {"4711": 1},
        ),
        (
            "id,name\nnowak,Anna Nowak\nnowak2,Paweł Nowak\nnowak3,Eva Nowak\n",
            "{name}_{id}_{file}",
            ["Pawel_Nowak_nowak2_01.ipynb", "Ewa_Nowak_nowak3_01.ipynb"],
            {"nowak2": 0},
        ),
        ("id,name\n1,Ada King\n", "{name}_{id}_{file}", ["Eve Adams_77_01_x.ipynb", "Ada King_1_1_x.ipynb"], {"1": 1}),
        (UP_TO_13, "{name}_{id}_{file}", ["Team 1_1_12_own.ipynb", "Team 2_2_12_own.ipynb"], {"1": 0, "2": 1}),
    ],
)
def test_a_name_and_an_id_in_one_name_are_of_one_person(course, collect, people, pattern, files, taken):
    (course.classroom / "roster.csv").write_text(people)
    status, said = collect(dict(zip(files, files, strict=True)), "--pattern", pattern, "--lesson", "01")
    taken = {f"{number + 1:02}": number for number in range(len(files))} if taken == "all" else taken
    assert submitted(course) == {f"{who}/{LESSON}": files[number] for who, number in taken.items()}, said
    assert status == (len(taken) < len(files))


def test_many_files_of_one_learner_hide_nobody_who_handed_in_no_notebook(course, roster, collect):
    files: dict[str, Any] = {f"lab1-ada/{number}.png": "x" for number in range(20_050)}
    files |= {"lab1-ada/01_sums.ipynb": "ada", "lab1-eve/report.pdf": "x"}
    status, said = collect(files, "--pattern", "lab1-{id}/{file}")
    assert status == 1 and "handed in last: lab1-eve/report.pdf." in said


@pytest.mark.parametrize("folder", ["Lab 1/", "./"])
def test_a_folder_of_a_whole_class_hides_nobody_who_handed_in_no_notebook(course, collect, tmp_path, capsys, folder):
    name = f"{folder}Lab 1_u{{:03}}_attempt_2026-11-10-10-00-00{{}}".format
    with tarfile.open(tmp_path / "all.tgz", "w:gz") as opened:
        for number in range(300):
            for end in (".txt", "_01_sums.ipynb.txt" if number == 299 else "_01_sums.ipynb"):
                opened.addfile(tarfile.TarInfo(name(number, end)))
    assert main(["collect", str(tmp_path / "all.tgz")]) == 1
    said = " ".join(capsys.readouterr().out.split())
    last = name(299, "_01_sums.ipynb.txt").removeprefix("./")
    assert said.count("handed in last") == 1 and f"handed in last: {last}." in said


def test_who_called_an_archive_of_notebooks_as_the_pattern_says_handed_in_notebooks(course, roster, collect):
    work = packed({"01_sums.ipynb": "jose", "notes.txt": "x"})
    status, said = collect({"jose.zip": work, "ada.ipynb": "ada"}, "--pattern", "{id}", "--lesson", "01")
    assert status == 0 and len(submitted(course)) == 2 and "no notebook" not in said, said


def test_a_folder_that_is_larger_than_what_is_left_is_refused_before_it_is_copied(
    course, roster, tmp_path, capsys, monkeypatch
):
    """What was copied was said to be left out, and was taken."""
    folder = tmp_path / "downloaded"
    folder.mkdir()
    for name in CANVAS:
        (folder / name).write_text("123456")
    with (folder / "mal_7_8_01_sums.ipynb").open("wb") as file:
        file.truncate(10**9)  # one that is too large for all is left out alone
    least = len(CANVAS) * (6 + archives.ON_DISK) + archives.ON_DISK
    for room, taken in ((least - 1, 0), (least, len(CANVAS))):
        monkeypatch.setattr(archives.Budget, "on_disk", lambda _, room=room: archives.Budget(room))
        assert main(["collect", str(folder)]) == 1 and len(submitted(course)) == taken
        said = " ".join(capsys.readouterr().out.split())
        refused = "downloaded was not collected: it unpacks to more than the space that is left for it."
        assert (refused in said) == (taken == 0)


def test_nobody_is_without_a_notebook_by_a_zip_that_is_left_out(course, roster, tmp_path, capsys, monkeypatch):
    name = "{}_{}_assignsubmission_file/{}".format
    folder = tmp_path / "downloaded"
    folder.mkdir()
    first, second = (
        {name(who, number, "01_sums.ipynb"): who, name(who, number, "notes.pdf"): "beside it"}
        for number, who in enumerate(("Ada Lovelace", "José Núñez"))
    )
    (folder / "A.zip").write_bytes(packed(first))
    (folder / "B.zip").write_bytes(packed(second).replace(b"PK\x03\x04", b"PK\x03\x05"))
    assert main(["collect", str(folder)]) == 1 and submitted(course) == {f"ada/{LESSON}": "Ada Lovelace"}
    said = capsys.readouterr().out
    assert "B.zip was left out" in said and "no notebook" not in said


def test_whose_last_attempt_has_no_notebook_is_named_and_the_one_before_is_taken(course, roster, collect):
    files = {
        "Lab 1_ada_attempt_2026-11-20-10-00-00_01_sums.ipynb": "first",
        "Lab 1_ada_attempt_2026-11-21-10-00-00_final.7z": "second",
        "Lab 1_jose_attempt_2026-11-20-10-00-00_draft.7z": "first",
        "Lab 1_jose_attempt_2026-11-21-10-00-00_01_sums.ipynb": "second",
        "Lab 1_jose_attempt_2026-11-21-10-00-00_notes.pdf": "beside it",
    }
    status, said = collect(files)
    assert submitted(course) == {f"ada/{LESSON}": "first", f"jose/{LESSON}": "second"}
    sentence = "no notebook (.ipynb) is among what one learner handed in last: "
    assert status == 1 and said.count(sentence) == 1
    assert f"{sentence}Lab 1_ada_attempt_2026-11-21-10-00-00_final.7z." in said


def test_the_last_attempt_counts_whatever_its_file_is_called(course, roster, collect, in_utc):
    name = "Lab 1_ada_attempt_2026-11-2{}-10-00-00_{}.ipynb"
    files = {name.format(0, "01_sums"): "first", name.format(1, "final"): "corrected", name.format(1, "notes"): "x"}
    status, said = collect(files, "--lesson", "1")
    assert status == 1 and "2 different notebooks of the same time" in said and submitted(course) == {}
    del files[name.format(1, "notes")]
    assert collect(files, "--lesson", "1")[0] == 0
    assert submitted(course) == {f"ada/{LESSON}": "corrected"}


def test_the_same_once_more_was_handed_in_when_it_came_first(course, roster, collect, in_utc):
    def attempts(**files: str) -> dict[str, str]:
        return {f"Lab 1_ada_attempt_2026-11-{day[1:]}-10-00-00_01_sums.ipynb": text for day, text in files.items()}

    stamp = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    assert collect(attempts(d18="one", d19="two", d20="two", d25="two"))[0] == 0
    assert submitted(course) == {f"ada/{LESSON}": "two"} and "2026-11-19 10:00:00" in stamp.read_text()
    assert collect(attempts(d26="two"))[0] == 0 and "2026-11-19 10:00:00" in stamp.read_text()
    assert collect(attempts(d26="two", d27="one", d28="two"))[0] == 0 and "2026-11-28" in stamp.read_text()
    assert collect(attempts(d29="one"))[0] == 0 and "2026-11-29" in stamp.read_text()


def test_the_folder_in_which_one_stands_is_called_by_its_name(course, roster, tmp_path, monkeypatch, capsys):
    (tmp_path / "lab 1" / "zips").mkdir(parents=True)
    (tmp_path / "lab 1" / "Ada Lovelace - 01_sums.ipynb").write_text("ada")
    for inside, place in ((".", "."), ("zips", "..")):
        monkeypatch.chdir(tmp_path / "lab 1" / inside)
        assert main(["collect", place]) == 0
        assert capsys.readouterr().out.startswith("lab 1: 1 notebooks from Google Classroom.")


def attempts_in(system: str, works: dict[int, str]) -> dict[str, str]:
    """A download with Ada's attempts of the hours given."""
    if system == "blackboard":
        return {f"Lab 1_ada_attempt_2026-11-20-{hour}-00-00_01_sums.ipynb": text for hour, text in works.items()}
    files, about = {}, "---\n"
    for hour, text in works.items():
        files[f"export/submission_{hour}/01_sums.ipynb"] = text
        about += of_one(hour, "Ada Lovelace") + f"  :created_at: 2026-11-20 {hour}:00:00.500000000 Z\n"
    return files | {"export/submission_metadata.yml": about}


@pytest.mark.parametrize("system", ["blackboard", "gradescope"])
def test_several_goes_end_like_one(course, roster, collect, in_utc, monkeypatch, system):
    """What is handed in again after other work is new work, be the attempts between collected with it or before."""
    stamp = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    monkeypatch.setattr("os.fsync", lambda file: None)  # some hundred files

    def after(*downloads: dict[int, str]) -> tuple[dict[str, str], str]:
        remove_all(course.classroom / "submitted")
        for works in downloads:
            assert collect(attempts_in(system, works))[0] == 0
        return submitted(course), stamp.read_text()

    for history in ("ABA", "ABAA"):
        works = dict(enumerate(history, 10))
        at_once = after(works)
        for cut in range(11, 10 + len(works)):
            some = {hour: work for hour, work in works.items() if hour < cut}
            rest = {hour: work for hour, work in works.items() if hour >= cut}
            for goes in ((some, works, some), (works, some), (some, rest, some)):
                assert after(*goes) == at_once, (history, goes)
    # each attempt alone, an older one collected after a newer one
    for order in ("321", "312", "213"):
        works = {11: "A", 12: "B", 13: "A"} if order != "321" else {11: "B", 12: "A", 13: "A"}
        assert after(*({10 + int(n): works[10 + int(n)]} for n in order)) == after(works), order
    assert after({14: "A"}, {12: "A"}, {13: "B"}, {12: "A"}) == ({f"ada/{LESSON}": "A"}, "2026-11-20 14:00:00 UTC\n")


def test_what_lies_beside_the_lessons_own_file_in_a_learners_folder_is_none_of_it(course, roster, collect):
    folder = "Ada Lovelace_12_assignsubmission_file/01_sums"
    beside = {f"{folder}/{name}.ipynb": name for name in ("Untitled", "01_sums.old")}
    status, said = collect(beside | {f"{folder}/01_sums.ipynb": "the work"})
    assert status == 0 and submitted(course) == {f"ada/{LESSON}": "the work"} and "left where it is" in said


@pytest.mark.parametrize("written", ["2026-01-02 11.30", "2026-01-02-11-30-00", "20260102T1130", "2026-01-02 0930Z"])
def test_a_time_without_a_zone_is_this_machines_in_every_form(course, roster, collect, monkeypatch, written):
    if not hasattr(time, "tzset"):
        pytest.skip("this system has no time zone for one process")
    monkeypatch.setenv("TZ", "EET-2")
    time.tzset()
    status, _ = collect({f"Ada Lovelace_{written}_01_sums.ipynb": "1"}, "--pattern", "{name}_{time}_{file}")
    monkeypatch.undo()
    time.tzset()
    stamp = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    assert status == 0 and stamp.read_text() == "2026-01-02 09:30:00 UTC\n"


@pytest.mark.parametrize("written", ["05.11.2026", "28-10-2026", "2026-13-01", "2026", "2026-01-02 25.00"])
def test_a_time_whose_order_nobody_knows_is_none(course, roster, collect, written):
    status, said = collect({f"Ada Lovelace_{written}_01_sums.ipynb": "1"}, "--pattern", "{name}_{time}_{file}")
    assert status == 1 and "does not name files that way" in said and submitted(course) == {}


def test_an_id_may_hold_what_stands_behind_it_in_a_pattern(course, collect):
    (course.classroom / "roster.csv").write_text("id,name\nli,Li\nli_wei,Li Wei\nbob_b,Bob\nada,Ada\n")
    names = ("li", "li_wei", "bob_b", "ada")
    status, said = collect({f"{who}_01_sums.ipynb": who for who in names}, "--pattern", "{id}_{file}")
    assert submitted(course) == {f"{who}/{LESSON}": who for who in ("li", "bob_b", "ada")}
    assert status == 1 and "li may be li or li_wei" in said


ZIPPED = {  # {pattern: (mal's zip, a name in it, a name of ada's own)}
    "{id}_{time}_{file}": (
        "mal_2026-11-06 10:00_w.zip",
        "1000001_2026_01_sums.ipynb",
        "ada_2026-11-05 10:00_01_sums.ipynb",
    ),
    "{id}_{file}": ("mal_w.zip", "1000001_01_sums.ipynb", "ada_01_sums.ipynb"),
    "{id}_{time}.ipynb": ("mal_2026-11-05 10:00.zip", "ada_2026-11-05 11:00.ipynb", "ada_2026-11-05 10:00.ipynb"),
    "{id}.ipynb": ("mal.zip", "ada.ipynb", "ada.ipynb"),
}


@pytest.mark.parametrize("pattern", ZIPPED)
@pytest.mark.parametrize("stranger", [False, True])
def test_by_a_pattern_names_in_a_zip_do_not_say_whose_it_is(course, collect, pattern, stranger):
    others = "" if stranger else "1000002,Mal,mal\n"
    (course.classroom / "roster.csv").write_text(f"id,name,login\n1000001,Ada,ada\n{others}")
    name, inside, own = ZIPPED[pattern]
    files: dict[str, str | bytes] = {name: packed({inside: "mal's"})}
    collect(files, "--pattern", pattern, "--lesson", "1")
    assert "mal's" not in [text for who, text in submitted(course).items() if who.startswith("1000001/")]
    collect({**files, own: "ada's"}, "--pattern", pattern, "--lesson", "1")
    assert submitted(course)[f"1000001/{LESSON}"] == "ada's"


def test_a_pattern_with_the_ending_takes_a_zip_by_its_own_name(course, roster, collect):
    zips = {f"{who}.zip": packed({f"{other}.ipynb": who}) for who, other in (("ada", "ada"), ("jose", "ada"))}
    status, _ = collect({**zips, "readme.ipynb": "x"}, "--pattern", "{id}.ipynb", "--lesson", "1")
    assert status == 1 and submitted(course) == {f"ada/{LESSON}": "ada", f"jose/{LESSON}": "jose"}


@pytest.mark.parametrize("pattern", ["{id}.ipynb", "{id}_{file}.ipynb", "{id}/{file}", "{id}_{file}"])
def test_an_archive_is_read_by_its_own_name_and_by_no_folders(course, collect, pattern):
    """Of two archives that begin alike one's folder has a number, which may be the end of another learner's id."""
    (course.classroom / "roster.csv").write_text("id,name\nkim,Kim\nkim-2,Other\nkim_w-2,Third\n")
    end = "_w" if "_{file}" in pattern else ""
    files: dict[str, str | bytes] = {f"kim{end}.zip": packed({"01_sums.ipynb": "kim's"})}
    files["kim" + end + ".tar"] = tarred({"01_sums.ipynb": "kim's"})
    assert collect(files, "--pattern", pattern, "--lesson", "1")[0] == 0
    assert submitted(course) == {f"kim/{LESSON}": "kim's"}
    collect({**files, f"kim-2{end}.ipynb": "other's"}, "--pattern", pattern, "--lesson", "1")
    assert submitted(course).get(f"kim-2/{LESSON}", "other's") == "other's"


@pytest.mark.parametrize("name", ["..zip", ".tar.zip", "..tar.gz", " .zip"])
@pytest.mark.parametrize("pattern", ["{id}/{file}", "{id}/{file}.ipynb"])
def test_an_archive_whose_name_is_an_ending_stops_nobody(course, roster, collect, name, pattern):
    files: dict[str, str | bytes] = {"ada/01_sums.ipynb": "ada's", f"jose/{name}": packed({"01_sums.ipynb": "jose's"})}
    files |= {"jose/x.zip": packed({"readme.txt": "x"})}
    collect(files, "--pattern", pattern, "--lesson", "1")
    assert submitted(course)[f"ada/{LESSON}"] == "ada's"


def test_whose_an_archive_is_may_be_open_by_its_name_too(course, collect):
    (course.classroom / "roster.csv").write_text("id,name\nb,B\nb_j,BJ\n")
    files = {"b_j_w.zip": packed({"01_sums.ipynb": "of bj"})}
    status, said = collect(files, "--pattern", "{id}_{file}.ipynb", "--lesson", "1")
    assert status == 1 and "b may be b or b_j" in said and submitted(course) == {}


def test_what_lies_in_an_archive_says_which_lesson_it_is_of(course, roster, collect):
    work = packed({"01_sums.ipynb": "ada's", "old.ipynb": "older"})
    files = {"ada_homework.zip": work, "jose_01_sums.zip": packed({"mine.ipynb": "jose's"})}
    assert collect(files, "--pattern", "{id}_{file}.ipynb")[0] == 1, "ada's older file is named"
    assert submitted(course) == {f"ada/{LESSON}": "ada's", f"jose/{LESSON}": "jose's"}


@pytest.mark.parametrize("top", ["", "Lab 1/", "Lab 1/group 2/"])
def test_a_pattern_with_the_ending_names_files_in_folders(course, roster, collect, top):
    assert collect({f"{top}ada.ipynb": "ada's"}, "--pattern", "{id}.ipynb", "--lesson", "1")[0] == 0
    assert submitted(course) == {f"ada/{LESSON}": "ada's"}


def test_what_was_left_out_of_a_learners_archive_says_whose_it_is(course, roster, collect):
    hers = packed({"01_sums.ipynb": "new", "../evil.ipynb": "x"})
    status, said = collect(
        {
            "Ada Lovelace_12_assignsubmission_file/lab.zip": hers,
            **{"José Núñez_13_assignsubmission_file/01_sums.ipynb": "1"},
        }
    )
    assert status == 1 and "Ada Lovelace_12_assignsubmission_file/lab.zip: ../evil.ipynb was left out" in said


def test_files_in_no_learners_folder_are_named_and_endings_may_be_large(course, roster):
    folder = course.classroom / "submitted"
    (folder / "ada" / LESSON).mkdir(parents=True)
    (folder / "bob.ipynb").write_text("x")
    odd = "01_sums (sic). Grader: all is well, and 10 of 10 points were set by hand yesterday. x"
    (folder / "ada" / LESSON / f"{odd}.IPYNB").write_text("{}")
    assert any(
        "bob.ipynb is not graded: it lies in no learner's folder" in one for one in Classroom(course).strangers()
    )
    (mend,) = read_submission_of(Task("ada", LESSON, folder / "ada" / LESSON)).mends
    assert mend.startswith(f"The file was named '{odd[:60]}…', not")


def test_lessons_in_which_nothing_is_written_are_left_out_where_they_came_with_others(course, roster, collect):
    def notebook(text: str, **more: object) -> str:
        return json.dumps({"cells": [{"cell_type": "code", "source": text, **more}], "nbformat": 4})

    for lesson in (LESSON, "02_lists"):
        (course.notebooks / lesson).mkdir(parents=True)
        course.release_notebook(lesson).write_text(notebook(f"stub of {lesson}"))
    ran = notebook("stub of 02_lists", outputs=["x"], execution_count=3)
    both = packed({"work/01_sums.ipynb": notebook("answer"), "work/02_lists.ipynb": ran})
    none = packed({"work/01_sums.ipynb": notebook("stub of 01_sums"), "work/02_lists.ipynb": ran})
    status, said = collect(
        {
            "Ada Lovelace_11_assignsubmission_file/work.zip": both,
            "José Núñez_12_assignsubmission_file/01_sums.ipynb": notebook("stub of 01_sums"),
            "Seán O'Neill_13_assignsubmission_file/work.zip": none,
        }
    )
    assert status == 0 and said.count("left out, as nothing is written in them") == 1
    assert "ada: left out, as nothing is written in them: 02_lists." in said
    assert set(submitted(course)) == {f"ada/{LESSON}", f"jose/{LESSON}", f"o_neill/{LESSON}", "o_neill/02_lists"}
    later = {"Ada Lovelace_91_assignsubmission_file/02_lists.ipynb": notebook("answer")}
    assert collect(later)[0] == 0 and "ada/02_lists" in submitted(course)
    course.release_notebook("02_lists").write_text(notebook("a renewed stub"))
    status, said = collect({"Jörg Müller_14_assignsubmission_file/work.zip": both})
    assert status == 0 and "mueller: left out, as nothing is written in them: 02_lists." in said


def test_what_a_teacher_adds_to_a_lesson_where_it_lies_is_no_work(course, roster, collect):
    def notebook(*texts: str) -> str:
        cells = [{"cell_type": "code", "id": str(at), "source": text} for at, text in enumerate(texts)]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})

    for lesson in (LESSON, "02_lists"):
        course.release_notebook(lesson).parent.mkdir(parents=True)
        course.release_notebook(lesson).write_text(notebook("stub", "by friday"))
        built = json.loads(notebook("solution")) | {"metadata": {"course": {"stubs": {"0": "stub"}}}}
        course.solution_notebook(lesson).write_text(json.dumps(built))
    for number, untouched in enumerate([notebook("stub"), notebook("stub", "by friday")]):
        work = packed({"work/01_sums.ipynb": notebook(f"answer {number}"), "work/02_lists.ipynb": untouched})
        status, said = collect({f"Ada Lovelace_{11 + number}_assignsubmission_file/work.zip": work}, "--replace")
        assert status == 0 and "ada: left out, as nothing is written in them: 02_lists." in said
    course.solution_notebook(LESSON).write_text("<<<<<<< HEAD")
    assert collect({"Jörg Müller_14_assignsubmission_file/01_sums.ipynb": notebook("answer")})[0] == 0


SOLVED = json.dumps({"cells": [{"cell_type": "code", "source": "### BEGIN HIDDEN TESTS\nx\n"}] * 2, "nbformat": 4})
STUB = json.dumps({"cells": [{"cell_type": "code", "source": "stub"}], "nbformat": 4})


@pytest.mark.parametrize("where", ["Moodle", "GitHub", "Gradescope"])
def test_the_courses_own_solution_is_nobodys_work(course, roster, collect, where):
    """It lies in every copy of the course that somebody packs, or pushes, as a whole."""
    for lesson in (LESSON, "02_lists"):
        (course.notebooks / lesson).mkdir(parents=True)
        course.release_notebook(lesson).write_text(STUB)
    whole = {f"solutions/{lesson}/{lesson}.ipynb": SOLVED for lesson in (LESSON, "02_lists")}
    whole |= {f"notebooks/{lesson}/{lesson}.ipynb": STUB for lesson in (LESSON, "02_lists")}
    mine = whole | {"work/01_sums/01_sums.ipynb": "mine", "work/02_lists/02_lists.ipynb": STUB}
    files: dict[str, Any] = {}
    options: list[str] = []
    if where == "Moodle":
        files = {"Ada Lovelace_11_assignsubmission_file/course.zip": packed(mine)}
        files["Jörg Müller_12_assignsubmission_file/01_sums.ipynb"] = SOLVED
    elif where == "GitHub":
        files = {f"lab-ada/{path}": text for path, text in mine.items()} | {"lab-mueller/01_sums.ipynb": SOLVED}
        options = ["--pattern", "lab-{id}/{file}"]
    else:
        files = {f"submission_11/{path}": text for path, text in mine.items()}
        files |= {"submission_12/01_sums.ipynb": SOLVED, "submission_metadata.yml": YML + of_one(12, "Jörg Müller")}
    status, said = collect(files, *options)
    its = {f"{who}/{LESSON}": "mine" for who in (("ada", "jose") if where == "Gradescope" else ("ada",))}
    assert submitted(course) == its
    sentence = "left out, as it is the course's own solution and nobody's work: "
    assert status == 1 and said.count(f"! download.zip: {sentence}") == 1 and said.count(sentence) == len(its) + 1
    assert f"{LESSON}.ipynb and 1 more." in said


def test_an_output_that_shows_a_solution_makes_nobodys_work_of_none(course, roster, collect):
    shown = {"output_type": "stream", "name": "stdout", "text": "### BEGIN HIDDEN TESTS\n" * 2}
    mine = {"cells": [{"cell_type": "code", "source": "mine", "outputs": [shown]}], "nbformat": 4}
    files = {"Ada Lovelace_11_assignsubmission_file/01_sums.ipynb": json.dumps(mine)}
    for odd in ("### BEGIN HIDDEN TESTS " * 2, '["### BEGIN HIDDEN TESTS", "### BEGIN HIDDEN TESTS"]'):
        assert collect(files | {"Jörg Müller_12_assignsubmission_file/01_sums.ipynb": odd}, "--replace")[0] == 0
    assert set(submitted(course)) == {f"ada/{LESSON}", f"mueller/{LESSON}"}


def of_one(number: int, name: str) -> str:
    """One more entry of Gradescope's list."""
    return f"submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: ''\n    :email: ''\n"


def test_who_typed_or_linked_something_instead_of_a_file_is_named(course, roster, collect):
    sentence = "no notebook (.ipynb) is among what one learner handed in last: "
    moodle = {
        "Ada Lovelace_11_assignsubmission_file/01_sums.ipynb": "1",
        "Ada Lovelace_11_assignsubmission_onlinetext/onlinetext.html": "a note beside it",
        "Jörg Müller_12_assignsubmission_onlinetext/onlinetext.html": "a link",
    }
    status, said = collect(moodle)
    assert status == 1 and said.count(sentence) == 1
    assert f"{sentence}Jörg Müller_12_assignsubmission_onlinetext/onlinetext.html." in said
    alike = {path.replace("Jörg Müller", "Ada Lovelace"): text for path, text in moodle.items()}
    status, said = collect(alike, name="alike.zip")
    assert status == 1 and f"{sentence}Ada Lovelace_12_assignsubmission_onlinetext/onlinetext.html." in said
    status, said = collect(CANVAS | {"eves_LATE_7_text.html": "x", "evet_8_link.html": "x"}, name="canvas.zip")
    assert status == 1 and said.count(sentence) == 2 and f"{sentence}evet_8_link.html." in said


def test_whose_last_attempt_in_blackboard_is_typed_is_named(course, roster, collect):
    """Blackboard writes a .txt of every attempt, also of those with a file."""
    name = "Lab 1_{}_attempt_2026-11-{}-10-00-00{}".format
    both = {name("ada", 10, "_01_sums.ipynb"): "1", name("jose", 10, "_01_sums.ipynb"): "1"}
    both |= {name("ada", 10, ".txt"): "its page", name("jose", 9, ".txt"): "typed before", name("jose", 10, ".txt"): ""}
    sentence = "no notebook (.ipynb) is among what one learner handed in last: "
    status, said = collect(both)
    assert status == 0 and sentence not in said
    both |= {name("jose", 12, ".txt"): "a link", name("mueller", 11, ".txt"): "a link"}
    both |= {name("o_neill", 11, ".txt"): "its page", name("o_neill", 11, "_work.7z"): "7z"}
    status, said = collect(both, name="2.zip")
    assert status == 1 and said.count(sentence) == 3
    for last in (name("jose", 12, ".txt"), name("mueller", 11, ".txt"), name("o_neill", 11, "_work.7z")):
        assert f"{sentence}{last}." in said


def test_whose_submission_to_gradescope_has_no_notebook_is_named(course, roster, collect):
    files = {"x/submission_metadata.yml": YML + of_one(12, "Jörg Müller"), "x/submission_11/01_sums.ipynb": "1"}
    status, said = collect(files | {"x/submission_11/a.txt": "1", "x/submission_12/01_sums.ipynb.txt": "1"})
    sentence = "no notebook (.ipynb) is among what one learner handed in last: "
    assert status == 1 and said.count(sentence) == 1
    assert f"{sentence}x/submission_12/01_sums.ipynb.txt." in said


def test_another_system_that_says_less_of_the_same_work_takes_nothing_away(course, roster, collect):
    late = {"lovelaceada_LATE_340934_5_01_sums.ipynb": "1"}
    note = note_path(course, "ada", LESSON)
    folder = "Ada Lovelace_11_assignsubmission_file"
    for files, key, value in ((late, "late", True), ({f"{folder}/01_sums.ipynb": "2"}, "folder", folder)):
        [text] = files.values()
        assert collect(files, "--replace")[0] == 0 and json.loads(note.read_text())[key] == value
        status, said = collect({"Ada Lovelace - 01_sums.ipynb": text})
        assert status == 0 and "1 there already" in said and json.loads(note.read_text())[key] == value
        collect({"ada_01_sums.ipynb": text}, "--pattern", "{id}_{file}")
        assert json.loads(note.read_text())[key] == value
    # the same system takes its own mark back
    assert collect(late, "--replace")[0] == 0 and json.loads(note.read_text())["late"]
    collect({"lovelaceada_340934_5_01_sums.ipynb": "1"})
    assert not json.loads(note.read_text())["late"]


def test_an_old_download_collected_again_knows_what_came_between(course, roster, collect, in_utc):
    name = "Lab 1_ada_attempt_2026-11-{}-10-00-00_01_sums.ipynb"
    stamp = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    downloads = [{name.format(day): text} for day, text in ((10, "one"), (12, "two"), (13, "one"))]
    for together in (False, True):
        if together:
            shutil.rmtree(course.classroom / "submitted")
            collect({key: text for files in downloads for key, text in files.items()})
        for files in () if together else downloads:
            assert collect(files)[0] == 0
        for files in (downloads[0], downloads[2], downloads[0]):
            status, said = collect(files)
            assert status == 0 and "0 taken, 1 there already" in said and "2026-11-13" in stamp.read_text()
    # where nothing came between, it was handed in when it came first
    assert collect({name.format(15): "three"})[0] == 0
    assert collect({name.format(14): "three"})[0] == 0 and "2026-11-14" in stamp.read_text()


def test_a_brace_without_its_other_and_two_ways_at_once_are_refused(course, roster, collect, capsys):
    for pattern in ("{name", "{id", "{name}_{file"):
        status, said = collect(CANVAS, "--pattern", pattern)
        assert status == 1 and "cannot be used" in said
    assert main(["collect", "x.zip", "--from", "moodle", "--pattern", "{name}_{file}"]) == 2
    assert "it cannot be Moodle's way, too" in " ".join(capsys.readouterr().err.split())


def test_many_files_of_one_learner_are_few_sentences_and_little_memory(course, roster, collect):
    many = packed({f"work/{number}.ipynb": f"{number}" for number in range(200)})
    status, said = collect({"lovelaceada_340934_5_hw.zip": many, **dict(list(CANVAS.items())[1:])})
    assert status == 1 and said.count("no lesson's name is in") == 5
    assert "The same is to be said of 195 more files of lovelaceada." in said
    assert set(submitted(course)) == {f"jose/{LESSON}", f"o_neill/{LESSON}"}


def test_many_lists_of_one_learner_take_no_time(course, roster, collect):
    lists = {f"hw/{number}/submission_metadata.yml": "x" for number in range(1000)}
    books = {f"hw/{number}/a.ipynb": "x" for number in range(1000)}
    begin = time.monotonic()
    status, said = collect({"lovelaceada_340934_5_hw.zip": packed(lists | books | {"01_sums.ipynb": "ada"})})
    assert submitted(course) == {f"ada/{LESSON}": "ada"} and time.monotonic() - begin < 10


def test_many_files_of_one_learner_that_look_like_solutions_take_no_time(course, roster, collect):
    begin = '{"cells":[],"metadata":{"t":"### BEGIN HIDDEN TESTS ### BEGIN HIDDEN TESTS","a":[' + "[]," * 45_000
    books = {f"hw/{number}/a.ipynb": f"{begin}{number}]}}}}" for number in range(300)}
    watch = Stopwatch()
    status, said = collect({"lovelaceada_340934_5_hw.zip": packed(books | {"01_sums.ipynb": "ada"})})
    assert submitted(course) == {f"ada/{LESSON}": "ada"} and watch.seconds() < 10


@pytest.mark.parametrize("part", ["_" * 250, "1_" * 125, "a-" * 125, " - " * 80])
def test_no_name_takes_long_to_read(part):
    """A learner's archive may hold ten thousand of them."""
    path = "/".join([part] * 14) + "/x.ipynb"
    watch = Stopwatch()
    for _ in range(50):
        assert [re.match(shape, path) for shape in SHAPES.values()]
    assert watch.seconds() < 0.2


def test_contents_are_compared_without_holding_them_all(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.classroom.collect.MAX_FILE_BYTES", 4 << 20)
    paths = [tmp_path / f"{number}.ipynb" for number in range(8)]
    for number, path in enumerate(paths):
        path.write_bytes(bytes([number]) * (4 << 20))
    tracemalloc.start()
    newest, _ = newest_of([Found(path, path.name, "canvas", order=number) for number, path in enumerate(paths)])
    assert newest and newest.path == paths[-1] and tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()


@pytest.fixture
def nested():
    """``nested(top)`` makes folders in folders, more deeply than Python goes; they go after the test."""
    made = []

    def make(top: Path) -> None:
        made.append(top)
        before = Path.cwd()
        top.mkdir()
        os.chdir(top)
        for _ in range(1200):
            Path("d").mkdir()
            os.chdir("d")
        os.chdir(before)

    yield make
    for top in made:
        remove_all(top)


@pytest.fixture
def scratch(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends a process at once there")
def test_a_collector_that_is_told_to_end_removes_its_copy(course, roster, collect, scratch, monkeypatch, capsys):
    def told(*_: object) -> None:
        assert list(scratch.iterdir())
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)

    monkeypatch.setattr("autograder.classroom.collect.read_download", told)
    before = signal.getsignal(signal.SIGTERM)
    assert collect(CANVAS)[0] == 130 and not list(scratch.iterdir())
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_a_killed_collector_left_is_removed_by_the_next(course, roster, collect, scratch):
    mine, dead = os.getpid(), 2**22 + 1  # no system gives so high a number
    for name in (f"course-collect-{mine}-x", f"course-collect-{dead}-old", f"course-collect-{dead}-new", "other"):
        (scratch / name / "0").mkdir(parents=True)
    for name in (f"course-collect-{mine}-x", f"course-collect-{dead}-old"):
        os.utime(scratch / name, (1, 1))
    assert collect(CANVAS)[0] == 0
    left = [f"course-collect-{dead}-new", f"course-collect-{mine}-x", "other"]
    assert sorted(path.name for path in scratch.iterdir()) == sorted(left)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no owner there")
@pytest.mark.parametrize("owner", ["somebody else", "this account"])
def test_an_old_folder_of_any_depth_stops_nothing(roster, collect, scratch, nested, monkeypatch, owner):
    top = scratch / f"course-collect-{2**22 + 1}-x"
    nested(top)
    os.utime(top, (1, 1))
    if owner == "somebody else":
        monkeypatch.setattr(os, "geteuid", lambda: top.stat().st_uid + 1)
    status, said = collect(CANVAS)
    assert status == 0 and top.exists() == (owner == "somebody else")


@pytest.mark.skipif(sys.platform == "win32", reason="no path is that long there")
def test_folders_in_folders_without_end_are_a_sentence(course, roster, nested, tmp_path, capsys):
    folder = tmp_path / "downloaded"
    folder.mkdir()
    for name, text in CANVAS.items():
        (folder / name).write_text(text)
    nested(folder / "deep")
    status = main(["collect", str(folder)])
    said = " ".join(capsys.readouterr().out.split())
    assert status == 1 and "d was left out: it lies in too many folders." in said and len(submitted(course)) == 3
    extractor = PlainExtractor()
    (tmp_path / "out").mkdir()
    extractor.extract(str(folder), str(tmp_path / "out"))
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(CANVAS)


def test_a_name_that_a_roster_cannot_hold_is_left_out_of_the_one_that_is_made(course, tmp_path, capsys):
    folder = tmp_path / "downloaded"
    folder.mkdir()
    (folder / os.fsdecode(b"J\xf6rg+ada+01_sums.ipynb")).write_text("ada")
    main(["collect", str(folder), "--pattern", "{name}+{id}+{file}"])
    assert submitted(course) == {f"ada/{LESSON}": "ada"} and read_roster(course).people["ada"].name == "ada"


def test_the_same_work_run_again_is_no_later_one_and_keeps_what_was_said(course, roster, collect):
    def work(count):
        cells = [{"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": [], "execution_count": count}]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    first = {"lovelaceada_340934_1_01_sums.ipynb": work(1)}
    again = {"lovelaceada_LATE_340934_2_01_sums-1.ipynb": work(2)}
    collect(first)
    collect(again)
    task = Task("ada", LESSON, course.classroom / "submitted/ada" / LESSON)
    assert odd_time_of_one(task, True) == "" and submitted(course) == {f"ada/{LESSON}": work(1)}
    remove_all(course.classroom / "submitted")
    collect(first | again)
    assert odd_time_of_one(task, True) == "" and submitted(course) == {f"ada/{LESSON}": work(1)}


def test_the_same_work_with_marks_that_it_had_lost_takes_its_place_and_keeps_its_time(course, roster, collect, in_utc):
    """Another program had taken them off, and an answer that was moved is found by its mark alone."""

    def work(**metadata):
        cells = [{"cell_type": "markdown", "source": "Because.", "metadata": metadata}]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    def at(day, text):
        return {f"Sums_ada_attempt_2026-01-0{day}-10-00-00_01_sums.ipynb": text}

    with_marks = work(nbgrader={"grade_id": "why"})
    collect(at(1, work()))
    status, said = collect(at(3, with_marks))
    assert status == 0 and "what was there is kept" in said and submitted(course) == {f"ada/{LESSON}": with_marks}
    about = course.classroom / "submitted/ada" / LESSON
    assert (about / "timestamp.txt").read_text() == "2026-01-01 10:00:00 UTC\n"
    assert "1 there already" in collect(at(5, work()))[1] and submitted(course) == {f"ada/{LESSON}": with_marks}
    # after other work it is a later attempt
    remove_all(course.classroom / "submitted")
    collect(at(1, work()))
    assert collect(at(1, work()) | at(6, "other") | at(7, with_marks))[0] == 0
    assert (about / "timestamp.txt").read_text() == "2026-01-07 10:00:00 UTC\n"


def test_the_courses_own_index_instead_of_a_lesson_is_named(course, roster, tmp_path, capsys):
    """Whatever the same person handed in elsewhere."""
    downloads = [("a.zip", LESSON), ("b.zip", "index")]
    for name, file in downloads:
        with zipfile.ZipFile(tmp_path / name, "w") as opened:
            opened.writestr(f"Ada Lovelace_12345_assignsubmission_file/{file}.ipynb", "ada")
    assert main(["collect", *(str(tmp_path / name) for name, _ in downloads)]) == 1
    assert "no lesson's name is in 'index.ipynb'" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("whole", [True, False])
def test_the_courses_own_index_is_no_work(course, roster, collect, whole):
    files = {"index.ipynb": "points"} | ({"01_sums/01_sums.ipynb": "ada"} if whole else {})
    status, said = collect({"lovelaceada_340934_1_work.zip": packed({f"work/{name}": t for name, t in files.items()})})
    assert (status, "no lesson's name" in said) == ((0, False) if whole else (1, True))


@pytest.mark.parametrize("replacing", [[], ["--replace"], ["--replace", "--student", "ada"]])
def test_what_lies_beside_another_lessons_work_does_not_replace_what_was_handed_in(
    course, roster, collect, in_utc, replacing
):
    course.source("02_lists").parent.mkdir(parents=True, exist_ok=True)
    course.source("02_lists").write_text("")
    first = {f"Lab 1_{who}_attempt_2026-11-10-10-00-00_01_sums.ipynb": "in time" for who in ("ada", "jose")}
    beside = packed({"work/01_sums.ipynb": "with notes", "work/02_lists.ipynb": "the second"})
    second = {
        "Lab 2_ada_attempt_2026-11-17-10-00-00_work.zip": beside,
        "Lab 2_jose_attempt_2026-11-17-10-00-00_02_lists.ipynb": "of jose",
    }
    collect(first)
    _, said = collect(second, *replacing)
    chosen = len(replacing) > 1
    assert submitted(course)[f"ada/{LESSON}"] == ("with notes" if chosen else "in time")
    assert ("Another version came with another lesson's files" in said) is not chosen
    assert ("jose/02_lists" in submitted(course)) is not chosen


LAB_1 = {f"Lab 1_{who}_attempt_2026-11-10-10-00-00_01_sums.ipynb": f"of {who}" for who in ("ada", "jose")}
CHOSEN = ("--replace", "--student", "ada")
WHOLE = {"work/01_sums.ipynb": "of ada, with notes", "work/02_lists.ipynb": "the second"}


def lab_2(inside: dict[str, str], called: str = "02_lists") -> dict[str, bytes | str]:
    """A download of the next lesson, in which one learner packed more than was asked for."""
    others = {f"Lab 2_{who}_attempt_2026-11-17-10-00-00_{called}.ipynb": f"of {who}" for who in ("jose", "mueller")}
    return {"Lab 2_ada_attempt_2026-11-17-10-00-00_work.zip": packed(inside), **others}


@pytest.mark.parametrize("called", ["02_lists", "homework"])
def test_work_handed_in_for_a_lesson_counts_whichever_download_comes_first(course, roster, collect, in_utc, called):
    time_of_ada = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    for downloads in ([LAB_1, lab_2(WHOLE, called)], [lab_2(WHOLE), LAB_1], [lab_2(WHOLE), LAB_1, lab_2(WHOLE)]):
        remove_all(course.classroom / "submitted")
        remove_all(course.classroom / "collected")
        for download in downloads:
            collect(download)
        assert submitted(course)[f"ada/{LESSON}"] == "of ada"
        assert time_of_ada.read_text() == "2026-11-10 10:00:00 UTC\n"


@pytest.mark.parametrize("replacing", [False, True])
def test_the_same_work_beside_another_lesson_keeps_its_time(course, roster, collect, in_utc, replacing):
    collect(LAB_1)
    collect(lab_2(WHOLE | {"work/01_sums.ipynb": "of ada"}), *(CHOSEN if replacing else []))
    time_of_ada = course.classroom / "submitted" / "ada" / LESSON / "timestamp.txt"
    assert time_of_ada.read_text() == "2026-11-10 10:00:00 UTC\n"


def test_a_flat_folder_says_nothing_of_assignments(course, roster, collect, in_utc):
    pattern = ("--pattern", "{id}_{time}_{file}")
    collect({f"{who}_2026-11-01 10:00_01_sums.ipynb": "first" for who in ("ada", "jose")}, *pattern)
    later = {f"{who}_2026-11-08 10:00_02_lists.ipynb": "second" for who in ("jose", "mueller", "o_neill")}
    collect(later | {"ada_2026-11-07 10:00_01_sums.ipynb": "newer"}, *pattern)
    assert submitted(course)[f"ada/{LESSON}"] == "newer"


def test_a_wider_download_changes_nothing_of_what_was_said_of_the_same_work(course, roster, collect):
    for system, first, second in (
        ("Moodle", "{0}_500{1}_assignsubmission_file/01_sums.ipynb", "{0}_700{1}_assignsubmission_file/{2}.ipynb"),
        ("Canvas", "lovelaceada_LATE_340934_50{1}_01_sums.ipynb", "lovelaceada_340934_70{1}_{2}.ipynb"),
    ):
        remove_all(course.classroom / "submitted")
        people = ["Ada Lovelace", "José Núñez"][: 1 + (system == "Moodle")]
        collect({first.format(person, number): person for number, person in enumerate(people)})
        note = course.classroom / "collected" / LESSON / "ada.json"
        before = json.loads(note.read_text())
        collect(
            {
                second.format(person, number, lesson): person
                for number, person in enumerate(people)
                for lesson in (LESSON, "02_lists")
            }
        )
        assert json.loads(note.read_text()) == before and before["system"] == system


def test_a_replacement_that_fails_leaves_what_was_said_of_the_work_that_stays(course, roster, collect):
    late = {"lovelaceada_LATE_340934_1_01_sums.ipynb": "late"}
    collect(late)
    (course.classroom / "replaced").write_text("in the way")
    status, _ = collect({"lovelaceada_340934_2_01_sums.ipynb": "another"}, "--replace")
    note = json.loads((course.classroom / "collected" / LESSON / "ada.json").read_text())
    assert status == 1 and note["late"] and submitted(course)[f"ada/{LESSON}"] == "late"


def test_one_learners_many_copies_are_few_sentences(course, roster, collect):
    inside = WHOLE | {f"old/{number}/01_sums.ipynb": str(number) for number in range(50)}
    collect({f"{who}_340{n}_assignsubmission_file/01_sums.ipynb": who for n, who in enumerate(["Ada Lovelace"])})
    others = {
        f"{who}_70{n}_assignsubmission_file/02_lists.ipynb": who
        for n, who in enumerate(["José Núñez", "Jörg Müller", "Seán O'Neill"])
    }
    _, said = collect({"Ada Lovelace_709_assignsubmission_file/w.zip": packed(inside)} | others)
    assert said.count("with another lesson's files") <= 6


def test_a_folder_above_all_that_reads_like_a_person_is_spoken_of(course, roster, collect):
    files = {f"Lab 1 - Sums/{who} - 01_sums.ipynb": who for who in ("Ada Lovelace", "José Núñez")}
    status, said = collect(files)
    assert status == 1 and "lies in the folder 'Lab 1 - Sums', which is read as one person's" in said
    status, said = collect({name.removeprefix("Lab 1 - Sums/"): who for name, who in files.items()})
    assert status == 0 and "read as one person's" not in said


def test_only_a_folder_of_nothing_else_has_an_archive_with_the_whole_class(course, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(archives, "MAX_OF_MANY", 50)
    folder = tmp_path / "unpacked"
    folder.mkdir()
    many = {f"{number}.txt": "" for number in range(100)}
    (folder / "lovelaceada_340934_1_work.zip").write_bytes(packed(many | {"01_sums.ipynb": "ada"}))
    (folder / "nunezjose_340935_2_01_sums.ipynb").write_text("josé")
    assert main(["collect", str(folder)]) == 1
    assert "lovelaceada_340934_1_work.zip was left out" in " ".join(capsys.readouterr().out.split())


def test_what_macos_writes_beside_archives_is_none(course, roster, collect):
    work = packed({"01_sums.ipynb": "ada"})
    files = {"Ada Lovelace_340_assignsubmission_file/work.zip": work}
    files |= {f"{place}._work.zip": b"\0\5\x16\7" for place in [f"__MACOSX/{name[:-8]}" for name in files]}
    files |= {f"{name[:-8]}._work.zip": b"\0\5\x16\7" for name in list(files)[:1]}
    status, said = collect(files)
    assert status == 0 and "damaged" not in said and submitted(course) == {f"ada/{LESSON}": "ada"}


def test_names_of_people_and_files_may_hold_marks_that_join_or_turn_letters(course, collect):
    (course.classroom / "roster.csv").write_text("id,name\nali,علی\u200cرضا رضایی\nada,Ada Lovelace\n")
    files = {"علی\u200cرضا رضایی_1_assignsubmission_file/01_sums.ipynb": "ali"}
    status, said = collect(files | {"Ada Lovelace_2_assignsubmission_file/01_sums\u200e.ipynb": "ada"})
    assert status == 0 and submitted(course) == {f"ali/{LESSON}": "ali", f"ada/{LESSON}": "ada"}, said


@pytest.mark.parametrize("name", ["01_sums.IPYNB", "01_sums (1).ipynb"])
def test_the_same_work_under_another_name_is_there_already(course, roster, collect, name):
    folder = course.classroom / "submitted" / "ada" / LESSON
    folder.mkdir(parents=True)
    (folder / name).write_text("ada")
    status, said = collect({f"Ada Lovelace_1_assignsubmission_file/{name}": "ada"})
    assert status == 0 and "0 taken, 1 there already" in said and [path.name for path in folder.iterdir()] == [name]


def test_numbers_before_names_are_no_people(course, roster, collect):
    names = {"Ada Lovelace": "28613-122384", "José Núñez": "28614-122384"}
    files = {f"{number} - {who} - Nov 10, 2026 1130 AM/01_sums.ipynb": who for who, number in names.items()}
    status, said = collect(files)
    assert status == 1 and "--pattern" in said and not submitted(course)
    assert collect(files, "--pattern", "* - {name} - */{file}")[0] == 0 and len(submitted(course)) == 2


def test_a_name_with_braces_is_a_name(course, collect):
    files = {f"Bo {{x}} - {number} 01_sums.ipynb": str(number) for number in range(2)}
    released = course.release_notebook(LESSON)
    released.parent.mkdir(parents=True)
    released.write_text(files["Bo {x} - 0 01_sums.ipynb"])
    status, said = collect(files | {"Ada Lovelace - 01_sums.ipynb": "ada"})
    assert status == 0 and "Bo {x}, 01_sums: left out, as nothing is written in it" in said
    assert submitted(course).keys() == {f"Ada Lovelace/{LESSON}", f"Bo {{x}}/{LESSON}"}


def test_what_a_teacher_chose_is_not_undone_by_the_next_download(course, roster, collect, in_utc):
    collect(LAB_1)
    collect(lab_2(WHOLE), *CHOSEN)
    _, said = collect(LAB_1)
    assert submitted(course)[f"ada/{LESSON}"] == WHOLE["work/01_sums.ipynb"] and "what is there is newer" in said


def test_an_untouched_copy_does_not_replace_what_came_beside_another_lesson(course, roster, collect, in_utc):
    released = course.release_notebook(LESSON)
    released.parent.mkdir(parents=True)
    released.write_text("of ada")
    collect(lab_2(WHOLE))
    collect(LAB_1)
    assert submitted(course)[f"ada/{LESSON}"] == WHOLE["work/01_sums.ipynb"]


def test_a_note_that_cannot_be_written_takes_nothing(course, roster, collect, monkeypatch):
    collect({"lovelaceada_340934_1_01_sums.ipynb": "first"})
    second = {"lovelaceada_LATE_340934_2_01_sums.ipynb": "second"}

    def full(path, data):
        if path.suffix == ".json":
            raise OSError(28, "No space left on device")
        write_whole(path, data)

    with monkeypatch.context() as patched:
        patched.setattr("autograder.classroom.collect.write_whole", full)
        status, _ = collect(second, "--replace")
    assert status == 1 and submitted(course)[f"ada/{LESSON}"] == "first"
    collect(second, "--replace")
    note = json.loads((course.classroom / "collected" / LESSON / "ada.json").read_text())
    assert submitted(course)[f"ada/{LESSON}"] == "second" and note["late"]


def test_files_of_other_names_are_no_other_lesson_where_only_one_is_named(course, roster, collect, in_utc):
    collect(LAB_1)
    later = {f"Lab 1_{who}_attempt_2026-11-12-10-00-00_hw.ipynb": who for who in ("jose", "mueller", "o_neill")}
    _, said = collect(later | {"Lab 1_ada_attempt_2026-11-12-10-00-00_01_sums.ipynb": "newer"})
    assert submitted(course)[f"ada/{LESSON}"] == "newer" and "Another version" not in said


def test_an_export_of_gradescopes_is_one_assignment(course, roster, collect):
    def export(number: int, files: dict[str, dict[str, str]]) -> dict[str, str]:
        one = "submission_{0}:\n  :submitters:\n  - :name: {1}\n    :email: {2}\n"
        one += "  :created_at: 2026-01-{3:02} 02:52:07 Z\n"
        people = {"ada": ("Ada Lovelace", "ada@example.org"), "jose": ("José Núñez", "jose@example.org")}
        people["sean"] = ("Seán O'Neill", "sean@example.org")
        made = {"submission_metadata.yml": "---\n"}
        for place, (who, names) in enumerate(files.items()):
            made["submission_metadata.yml"] += one.format(place, *people[who], number)
            made |= {f"submission_{place}/{name}": text for name, text in names.items()}
        return made

    collect(export(2, {"ada": {"01_sums.ipynb": "in time"}, "jose": {"01_sums.ipynb": "jose"}}))
    both = {"01_sums.ipynb": "older", "02_lists.ipynb": "ada"}
    others = {who: {"02_lists.ipynb": who} for who in ("jose", "sean")}
    _, said = collect(export(9, {"ada": both} | others))
    assert submitted(course)[f"ada/{LESSON}"] == "in time" and "Another version came with another lesson's" in said


def test_a_packed_older_lesson_is_beside_files_of_other_names(course, roster, collect, in_utc):
    collect(LAB_1)
    collect(lab_2({"w/homework.ipynb": "the second", "w/01_sums.ipynb": "unfinished"}, "homework"))
    assert submitted(course)[f"ada/{LESSON}"] == "of ada"


def test_what_a_teacher_chose_stays_chosen_until_they_say_otherwise(course, roster, collect, in_utc):
    again = {"Lab 2_ada_attempt_2026-11-18-10-00-00_work.zip": packed(WHOLE | {"work/01_sums.ipynb": "better still"})}
    collect(LAB_1)
    collect(lab_2(WHOLE), *CHOSEN)
    collect(lab_2(WHOLE) | again)
    collect(LAB_1)
    assert submitted(course)[f"ada/{LESSON}"] == "better still"
    collect(LAB_1, "--replace")
    assert submitted(course)[f"ada/{LESSON}"] == "of ada"


def test_where_nothing_was_there_nothing_was_chosen(course, roster, collect, in_utc):
    collect(lab_2(WHOLE), *CHOSEN)
    collect(LAB_1)
    assert submitted(course)[f"ada/{LESSON}"] == "of ada"


def test_who_is_asked_for_alone_and_not_there_is_a_sentence(course, roster, collect):
    status, said = collect(LAB_1, "--student", "sean")
    assert status == 1 and "sean: nothing of this learner was found" in said and submitted(course) == {}


@pytest.mark.parametrize("downloads", [[lab_2(WHOLE), LAB_1], [LAB_1, lab_2(WHOLE)], [{**lab_2(WHOLE), **LAB_1}]])
def test_the_wrong_file_in_which_nothing_is_written_does_not_count_before_one_that_is(
    course, roster, collect, in_utc, downloads
):
    released = course.release_notebook(LESSON)
    released.parent.mkdir(parents=True)
    released.write_text("of ada")
    for download in downloads:
        status, _ = collect(download)
        assert status == 0
    assert submitted(course)[f"ada/{LESSON}"] == WHOLE["work/01_sums.ipynb"]


def test_a_late_mark_of_another_lesson_is_not_said_of_what_came_beside_it(course, roster, collect):
    others = ((340935, "núñezjosé"), (340936, "oneillseán"))
    files: dict[str, str | bytes] = {f"{who}_{number}_{number}_02_lists.ipynb": who for number, who in others}
    collect(files | {"lovelaceada_LATE_340934_1_work.zip": packed(WHOLE)})
    task = Task("ada", LESSON, course.classroom / "submitted/ada" / LESSON)
    assert odd_time_of_one(task, False) == "" and "so this may be late" in odd_time_of_one(task, True)
    second = Task("ada", "02_lists", course.classroom / "submitted/ada/02_lists")
    assert odd_time_of_one(second, True) == "Canvas marks this as late, and says no time."


@pytest.mark.parametrize(
    ("joined", "day", "clock", "seconds"),
    [
        ("_", "2026-11-05", "10-30-12", 12),
        ("_", "2026-11-05", "103012", 12),
        ("_", "2026-11-05", "10-30", 0),
        ("_", "2026-11-05", "10-30-12Z", 12),
        ("-", "20261105", "103012", 12),
        (" ", "2026-11-05", "10:30", 0),
        (" ", "2026-11-05", "10-30-12", 12),
        (".", "20261105", "103012", 12),
    ],
)
def test_a_day_and_a_clock_joined_as_the_other_parts_are_is_one_time(
    course, collect, in_utc, joined, day, clock, seconds
):
    names = {joined.join(("Ada", day, clock, "01_sums.ipynb")): "ada"} | {
        f"José{joined}{day}{joined}01_sums.ipynb": "j"
    }
    (course.classroom / "roster.csv").write_text("id,name\nada,Ada\njose,José\n")
    collect(names, "--pattern", joined.join(("{name}", "{time}", "{file}")))
    times = {path.parts[-3]: path.read_text() for path in (course.classroom / "submitted").glob("*/*/timestamp.txt")}
    assert times == {"ada": f"2026-11-05 10:30:{seconds:02} UTC\n", "jose": "2026-11-05 00:00:00 UTC\n"}


@pytest.mark.parametrize(
    ("pattern", "name", "student", "clock"),
    [
        ("{id}_{time}/{file}", "ada_2026-11-05_10-30-12/01_sums.ipynb", "ada", "10:30:12"),
        ("{id}_01_sums_{time}", "ada_01_sums_2026-11-05_10-30-12.ipynb", "ada", "10:30:12"),
        ("{id}_{time}_*", "ada_2026-11-05_10-30-12_01_sums.ipynb", "ada", "10:30:12"),
        ("{time}/{id}_{file}", "2026-11-05_10-30-12/ada_01_sums.ipynb", "ada", "10:30:12"),
        ("{id}-{time}-{file}", "ada-2026-11-05_10-30-12-01_sums.ipynb", "ada", "10:30:12"),
        # six digits that are an id or no clock
        ("{time}_{id}_{file}", "2026-11-05_102030_01_sums.ipynb", "102030", "00:00:00"),
        ("{id}_{time}_{file}", "102030_2026-11-05_999999_01_sums.ipynb", "102030", "00:00:00"),
        ("{time}_*_{id}_{file}", "2026-11-05_104512_102030_01_sums.ipynb", "102030", "00:00:00"),
    ],
)
def test_a_clock_is_read_wherever_the_time_stands_and_where_it_is_one(
    course, collect, in_utc, pattern, name, student, clock
):
    (course.classroom / "roster.csv").write_text("id,name\nada,Ada\n102030,Ada Lovelace\n")
    collect({name: "ada"}, "--pattern", pattern)
    assert submitted(course) == {f"{student}/{LESSON}": "ada"}
    when = course.classroom / "submitted" / student / LESSON / "timestamp.txt"
    assert when.read_text() == f"2026-11-05 {clock} UTC\n"


def test_the_wrong_file_does_not_come_back_with_the_next_replacement(course, roster, collect):
    released = course.release_notebook(LESSON)
    released.parent.mkdir(parents=True)
    released.write_text("the lesson")
    lab_1 = {f"{who}_{number}_{number}_01_sums.ipynb": "the lesson" for number, who in ((340934, "lovelaceada"),)}
    lab_1 |= {"núñezjosé_340935_1_01_sums.ipynb": "of josé"}
    lab_2 = {"núñezjosé_340935_2_02_lists.ipynb": "second", "oneillseán_340936_2_02_lists.ipynb": "second"}
    collect(lab_1)
    collect(lab_2 | {"lovelaceada_340934_2_work.zip": packed(WHOLE)})
    assert submitted(course)[f"ada/{LESSON}"] == WHOLE["work/01_sums.ipynb"]
    again = lab_1 | {"núñezjosé_340935_1_01_sums.ipynb": "of josé, mended"}
    _, said = collect(again, "--replace")
    assert submitted(course)[f"jose/{LESSON}"] == "of josé, mended" and "nothing is written in it" in said
    assert submitted(course)[f"ada/{LESSON}"] == WHOLE["work/01_sums.ipynb"]


def test_moodles_own_folder_is_known_where_what_came_beside_was_chosen(course, roster, collect):
    first = {
        f"{who}_{number}_assignsubmission_file/01_sums.ipynb": who
        for number, who in ((11, "Ada Lovelace"), (12, "José Núñez"))
    }
    second = {
        f"{who}_{number}_assignsubmission_file/02_lists.ipynb": who
        for number, who in ((22, "José Núñez"), (23, "Seán O'Neill"))
    }
    collect(first)
    collect(second | {"Ada Lovelace_21_assignsubmission_file/work.zip": packed(WHOLE)}, *CHOSEN)
    assert submitted(course)[f"ada/{LESSON}"] == WHOLE["work/01_sums.ipynb"]
    assert _folder(course, "ada", LESSON) == ("Ada Lovelace_11_assignsubmission_file", False)
    assert _folder(course, "ada", "02_lists") == ("Ada Lovelace_21_assignsubmission_file", False)


def test_of_more_files_than_a_learner_has_none_is_taken(course, roster, collect):
    many = packed({f"{number}/01_sums.ipynb": str(number) for number in range(300)})
    status, said = collect({"Sums_ada_attempt_2026-01-02-10-00-00_work.zip": many})
    assert status == 1 and "ada, 01_sums: of 300 files none is taken" in said
    assert submitted(course) == {}
