"""The exchange on one machine: set in one place, and open to every account only where that was chosen."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError, ExchangeFactory

from autograder.classroom import gradebook  # noqa: F401 - with it nbgrader needs no `alembic` on PATH
from autograder.classroom.grading_lock import lock_path, only_grader
from autograder.cli import main
from autograder.errors import CourseError
from autograder.grading.sandbox import probe
from autograder.learning.lab import student
from autograder.learning.teacher import teacher
from autograder.nbgrader_glue import nbgrader_config
from autograder.paths import Course
from tests.grading.conftest import NAME


@pytest.fixture
def choose(sums_course, tmp_path):
    """``choose(everyone)`` names a folder of the class in pyproject.toml; the folder."""

    def write(everyone):
        shared = tmp_path / "shared" / "exchange"
        text = f'[tool.course]\nexchange = "{shared}"\nexchange_for_everyone = {str(everyone).lower()}\n'
        (sums_course.root / "pyproject.toml").write_text(text)
        return shared

    return write


def step(course, name, **folders):
    """One of nbgrader's steps with the course's settings, as its commands and buttons start it."""
    config = nbgrader_config(course)
    config.CourseDirectory.assignment_id = NAME
    config.CourseDirectory.root = str(course.root)
    coursedir = CourseDirectory(config=config)
    made = getattr(ExchangeFactory(config=config), name)(
        coursedir=coursedir, authenticator=Authenticator(config=config), config=config
    )
    for key, value in folders.items():
        setattr(made, key, value)
    return made.start()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode) & 0o1777


@pytest.mark.parametrize("everyone", [False, True])
def test_from_release_to_feedback_with_the_modes_that_were_chosen(sums_course, choose, everyone, right, monkeypatch):
    shared = choose(everyone)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(sums_course.root / "data"))
    if everyone:  # the first command may be nbgrader's own
        step(sums_course, "ReleaseAssignment")
        assert mode(shared) == 0o1777
    session = teacher(sums_course)
    assert session.root == sums_course.root and mode(shared) == (0o1777 if everyone else 0o700)
    if not everyone:
        step(sums_course, "ReleaseAssignment")
    assert mode(shared) == (0o1777 if everyone else 0o700)
    sums_course.work.mkdir(exist_ok=True)
    monkeypatch.chdir(sums_course.work)
    step(sums_course, "FetchAssignment")
    assert [one["status"] for one in step(sums_course, "List")] == ["fetched"]
    fetched = sums_course.work / NAME / f"{NAME}.ipynb"
    assert fetched.read_bytes() == sums_course.release_notebook(NAME).read_bytes()
    fetched.write_bytes(right)
    step(sums_course, "Submit")
    (handed_in,) = (shared / "parallel-tensorflow" / "inbound").iterdir()
    assert mode(handed_in) == (0o777 if everyone else 0o755)
    step(sums_course, "Collect")
    (collected,) = (sums_course.classroom / "submitted").iterdir()
    assert (collected / NAME / f"{NAME}.ipynb").read_bytes() == right
    assert main(["grade", *([] if probe().works else ["--unsafe"])]) == 0
    step(sums_course, "ReleaseFeedback")
    step(sums_course, "FetchFeedback")
    (page,) = (sums_course.work / NAME / "feedback").rglob("*.html")
    written = sums_course.classroom / "feedback" / collected.name / NAME / f"{NAME}.html"
    assert page.read_bytes() == written.read_bytes()


def test_a_groups_folder_stays_as_it_was_made(sums_course, choose):
    shared = choose(False)
    shared.mkdir(parents=True)
    shared.chmod(0o770)
    teacher(sums_course)
    step(sums_course, "ReleaseAssignment")
    assert mode(shared) == 0o770


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", 0o700),
        ('exchange = "{root}/elsewhere"', 0o700),
        ('exchange = "{root}/elsewhere"\nexchange_for_everyone = true', 0o700),
        ("exchange_for_everyone = true", 0o711),
        ('exchange = "{root}/classroom/shared/exchange"', 0o711),
    ],
)
def test_the_class_is_closed_to_other_accounts_but_for_an_exchange_that_lies_in_it(
    sums_course, settings, expected, right
):
    root, classroom = sums_course.root, sums_course.classroom
    (root / "pyproject.toml").write_text("[tool.course]\n" + settings.format(root=root))
    teacher(sums_course)
    assert mode(classroom) == expected and sums_course.exchange.is_dir()
    exchange = mode(sums_course.exchange)
    folder = classroom / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(right)
    assert main(["grade", *([] if probe().works else ["--unsafe"])]) == 0
    assert mode(classroom) == expected and mode(sums_course.exchange) == exchange
    assert mode(classroom / ".grading.lock") == 0o600
    way = [sums_course.exchange, *sums_course.exchange.parents]
    inside = [path for path in classroom.iterdir() if path not in way]
    assert len(inside) > 8
    assert expected == 0o700 or [path.name for path in inside if mode(path) & 0o077] == []


def test_a_class_that_is_there_keeps_its_mode_and_a_group_its_lock(sums_course, right):
    lock = sums_course.classroom / ".grading.lock"
    for given, before, after in ((0o755, 0o644, 0o600), (0o770, 0o664, 0o660)):
        sums_course.classroom.mkdir(exist_ok=True)
        sums_course.classroom.chmod(given)
        lock.touch()
        lock.chmod(before)
        assert main(["due"]) == 0 and main(["due", "1", "never", "--student", "ada"]) == 0
        assert mode(sums_course.classroom) == given and mode(lock) == after


def test_what_others_could_go_through_to_is_closed_before_anything_lies_in_it(tmp_path):
    course = Course(tmp_path)
    course.classroom.mkdir()
    course.classroom.chmod(0o711)
    course.make_classroom()
    assert mode(course.classroom / "submitted") == 0o700
    with only_grader(course):
        gradebook._make_gradebook(course)
        made = [path for path in course.classroom.iterdir() if not path.name.startswith(".")]
        assert {"submitted", "journal", "autograded", "feedback", "gradebook.db"} <= {path.name for path in made}
        assert [path.name for path in made if mode(path) & 0o077] == []
    course.classroom.chmod(0o755)
    (course.classroom / "journal").chmod(0o755)
    course.make_classroom()
    assert mode(course.classroom / "journal") == 0o755, "somebody chose that others may look"


@pytest.mark.parametrize(
    ("given", "umask", "expected"),
    [(0o2770, 0o002, 0o660), (0o770, 0o077, 0o660), (0o750, 0o002, 0o600), (0o755, 0o022, 0o600)],
)
def test_who_may_write_to_the_class_may_hold_its_lock_from_the_first_time(tmp_path, given, umask, expected):
    course = Course(tmp_path)
    course.classroom.mkdir()
    course.classroom.chmod(given)
    before = os.umask(umask)
    try:
        with only_grader(course):
            assert mode(lock_path(course)) == expected
    finally:
        os.umask(before)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a file to any group")
def test_a_lock_of_another_group_than_the_classs_is_its_owners_alone(tmp_path):
    course = Course(tmp_path)
    course.classroom.mkdir()
    course.classroom.chmod(0o770)
    lock_path(course).touch()
    lock_path(course).chmod(0o660)
    os.chown(lock_path(course), -1, 4242)
    with only_grader(course):
        assert mode(lock_path(course)) == 0o600


@pytest.mark.parametrize("first", [["due", "1", "2026-12-01"], ["demo"], ["gradescope", "1"]])
def test_whatever_makes_the_class_closes_it(sums_course, first):
    main(first)
    assert mode(sums_course.classroom) == 0o700


@pytest.mark.parametrize("there", [False, True])
def test_nbgraders_commands_make_no_gradebook_for_everybody(sums_course, there):
    """Their own has mode 0644: names, addresses and points for all who may go through the class's folder."""
    (sums_course.root / "pyproject.toml").write_text("[tool.course]\nexchange_for_everyone = true\n")
    if there:
        teacher(sums_course)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # noqa: PTH120 - there is its alembic
    environment = os.environ | {
        "JUPYTER_CONFIG_PATH": str(sums_course.config),
        "JUPYTER_PLATFORM_DIRS": "1",
        "PATH": path,
    }
    command = [sys.executable, "-m", "nbgrader", "db", "student", "add", "ada", "--email=ada@example.org"]
    done = subprocess.run(command, cwd=sums_course.notebooks, env=environment, capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr
    book = sums_course.classroom / "gradebook.db"
    assert mode(sums_course.classroom) == 0o711 and mode(book) == 0o600 and b"ada@example.org" in book.read_bytes()


def test_nbgraders_commands_make_a_closed_class_too(sums_course, choose):
    choose(True)
    environment = os.environ | {"JUPYTER_CONFIG_PATH": str(sums_course.config), "JUPYTER_PLATFORM_DIRS": "1"}
    command = [sys.executable, "-m", "nbgrader", "db", "assignment", "list"]
    subprocess.run(command, cwd=sums_course.notebooks, env=environment, capture_output=True, timeout=240)
    assert mode(sums_course.classroom) == 0o700


def test_learners_see_nbgraders_list_only_where_there_is_an_exchange(sums_course, choose):
    assert [path.name for path in student(sums_course).profiles] == ["student"]
    choose(False)
    assert [path.name for path in student(sums_course).profiles] == ["student_with_exchange", "student"]
    assert [path.name for path in teacher(sums_course).profiles] == ["teacher"]


def test_what_cannot_be_made_is_said(sums_course, tmp_path):
    (tmp_path / "file").touch()
    (sums_course.root / "pyproject.toml").write_text(f'[tool.course]\nexchange = "{tmp_path}/file/exchange"\n')
    with pytest.raises(CourseError, match="cannot be made or opened to all"):
        teacher(sums_course)
    with pytest.raises(ExchangeError):
        step(sums_course, "ReleaseAssignment")
    (sums_course.root / "pyproject.toml").write_text("[tool.course\n")
    with pytest.raises(CourseError, match=r"pyproject.toml cannot be read"):
        teacher(sums_course)
