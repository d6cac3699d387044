"""nbgrader's own commands where folders hold links, pipes and devices: nothing comes out, honest work goes through."""

from __future__ import annotations

import io
import logging
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import notebook_hash, parse_utc

from autograder.classroom import handing_over
from autograder.classroom.gradebook import MadeOf, note_made_of, prepare
from autograder.classroom.handing_over import PlainCollect, PlainCollector, in_its_place
from autograder.classroom.plain_files import odd_folder, plain_bytes, what_is_odd
from autograder.classroom.submissions import Classroom, Task, odd_time, time_of
from autograder.cli import main
from autograder.files import UNFINISHED
from autograder.nbgrader_glue import nbgrader_config
from tests.grading.conftest import NAME
from tests.pace import Stopwatch

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need rights there")

NOTEBOOK = f"{NAME}.ipynb"
CANARY = b"a key that nobody but the teacher may read"
WHEN = "2026-01-01 10:00:00 UTC"
LARGEST = 60_000_000  # bytes of a file that a command here may write: an endless device must not fill this disk


@pytest.fixture
def classroom(sums_course, right):
    """A class with honest ada, who handed in a table and a picture too."""
    made = Classroom(sums_course)
    folder = hand_in(made.submitted / "ada" / NAME, right)
    (folder / "data.csv").write_text("1,2\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return made


@pytest.fixture
def key(tmp_path) -> Path:
    path = tmp_path / "secret.key"
    path.write_bytes(CANARY)
    return path


def hand_in(folder: Path, raw: bytes, secret: str = "") -> Path:
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_bytes(raw)
    (folder / "timestamp.txt").write_text(WHEN)
    if secret:
        (folder / "submission_secret.txt").write_text(secret)
    return folder


def set_traps(folder: Path, key: Path, classroom: Classroom) -> None:
    """Beside a notebook: all that leads elsewhere, and files that would be harmless."""
    (folder / "key.txt").symlink_to(key)
    (folder / ".hidden").symlink_to(key)
    (folder / "page.html").symlink_to(key)
    (folder / "another").symlink_to(classroom.submitted / "ada" / NAME)
    (folder / "solution.txt").symlink_to(classroom.course.solution_notebook(NAME))
    (folder / "gradebook.db").symlink_to(classroom.gradebook)
    (folder / "endless").symlink_to("/dev/zero")
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "key.txt").symlink_to(key)
    (folder / "same.txt").hardlink_to(key)
    os.mkfifo(folder / "pipe")
    (folder / "mine.csv").write_text("3,4\n")


def nbgrader(classroom: Classroom, *arguments: str) -> subprocess.CompletedProcess:
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_PATH": str(classroom.course.config),
        "JUPYTER_PLATFORM_DIRS": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=classroom.course.notebooks, env=environment, capture_output=True, text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST)),
    )  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def nothing_came_out(*folders: Path) -> bool:
    """No link, and no byte of the key, below these folders."""
    files = [path for folder in folders for path in folder.rglob("*")]
    assert files
    return not any(path.is_symlink() or (path.is_file() and CANARY in path.read_bytes()) for path in files)


def score(classroom: Classroom, student: str) -> float:
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        return gradebook.find_submission(NAME, student).score


def grades(classroom: Classroom, student: str) -> list[tuple[float | None, bool]]:
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        rows = gradebook.find_submission_notebook(NAME, NAME, student).grades
        return [(row.auto_score, row.needs_manual_grade) for row in rows]


@pytest.mark.few(1)
@pytest.mark.parametrize("student", ["eve", "eve[1]*"])
def test_autograde_and_feedback_carry_over_the_notebook_and_its_time(classroom, key, right, student):
    prepare(classroom.course, NAME)
    set_traps(hand_in(classroom.submitted / student / NAME, right, secret="s"), key, classroom)
    done = nbgrader(classroom, "autograde", NAME)
    assert done.returncode == 0, done.stderr
    if student == "eve":  # nbgrader takes the other name for a pattern, and finds nobody
        assert "key.txt (a link to another place)" in done.stderr and "pipe (a pipe)" in done.stderr
    assert f"Left where it is in ada/{NAME}: data.csv, picture.png. Only the notebook" in done.stderr
    done = nbgrader(classroom, "generate_feedback", NAME)
    assert done.returncode == 0, done.stderr
    autograded, feedback = (classroom.course.classroom / step for step in ("autograded", "feedback"))
    assert names(autograded / "ada" / NAME) == [NOTEBOOK, "timestamp.txt"]
    assert names(feedback / "ada" / NAME) == [f"{NAME}.html", "timestamp.txt"]
    if student == "eve":
        assert names(autograded / "eve" / NAME) == [NOTEBOOK, "submission_secret.txt", "timestamp.txt"]
        assert names(feedback / "eve" / NAME) == [f"{NAME}.html", "submission_secret.txt", "timestamp.txt"]
        assert score(classroom, "eve") == 7
    assert score(classroom, "ada") == 7
    assert nothing_came_out(autograded, feedback)


@pytest.mark.few(1)
@pytest.mark.parametrize("graded", [False, True], ids=["first", "again"])
def test_autograding_that_fails_leaves_no_zero_of_a_notebook_of_another_name(classroom, right, graded):
    (classroom.submitted / "ada" / NAME / NOTEBOOK).rename(classroom.submitted / "ada" / NAME / f"{NAME} (1).ipynb")
    hand_in(classroom.submitted / "bob" / NAME, right)
    prepare(classroom.course, NAME)
    if graded:
        done = nbgrader(classroom, "autograde", NAME)
        assert done.returncode == 0 and score(classroom, "ada") == 7, done.stderr
    before = grades(classroom, "bob") if graded else [(None, True)] * 5
    journal = classroom.course.classroom / "journal"
    shutil.rmtree(journal, ignore_errors=True)
    journal.write_text("a disk that takes nothing")
    assert nbgrader(classroom, "autograde", NAME, "--force").returncode == 1
    assert grades(classroom, "ada") == grades(classroom, "bob") == before


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (
            "pyproject.toml",
            '[tool.course]\nlate_percent_per_day = "10"\n',
            "late_percent_per_day is '10', and has to be",
        ),
        ("classroom/extensions.json", '{"x": ', "classroom/extensions.json cannot be read"),
    ],
)
def test_a_wrong_setting_ends_nbgraders_commands_before_anything_is_removed(classroom, file, text, said):
    assert main(["grade"]) == 0
    made = {path: path.read_bytes() for path in classroom.course.classroom.rglob(f"{NAME}.*")}
    assert {path.suffix for path in made} >= {".ipynb", ".html"}
    (classroom.course.root / file).write_text(text)
    for command in (["autograde", NAME, "--force"], ["generate_feedback", NAME, "--force"], ["export"]):
        done = nbgrader(classroom, *command)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert said in done.stderr
    assert {path: path.read_bytes() for path in classroom.course.classroom.rglob(f"{NAME}.*")} == made


def test_course_grade_carries_over_the_same(classroom, key, right):
    set_traps(hand_in(classroom.submitted / "eve" / NAME, right, secret="s"), key, classroom)
    assert main(["grade"]) == 0
    autograded, feedback = (classroom.course.classroom / step for step in ("autograded", "feedback"))
    assert names(autograded / "eve" / NAME) == [NOTEBOOK, "submission_secret.txt", "timestamp.txt"]
    assert names(feedback / "eve" / NAME) == [f"{NAME}.html", "submission_secret.txt", "timestamp.txt"]
    assert nothing_came_out(autograded, feedback)
    assert main(["grade", "--force"]) == 0, "what is there is replaced, though nbgrader makes it read-only"


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["timestamp.txt", "submission_secret.txt"])
@pytest.mark.parametrize("trap", ["link", "pipe", "endless", "hard link"])
def test_a_time_or_secret_that_leads_elsewhere_is_none(classroom, key, right, name, trap):
    prepare(classroom.course, NAME)
    shutil.rmtree(classroom.submitted / "ada")
    path = hand_in(classroom.submitted / "eve" / NAME, right) / name
    path.unlink(missing_ok=True)
    if trap == "pipe":
        os.mkfifo(path)
    elif trap == "hard link":
        path.hardlink_to(key)
    else:
        path.symlink_to(key if trap == "link" else "/dev/zero")
    done = nbgrader(classroom, "autograde", NAME)
    assert done.returncode == 0, done.stderr
    autograded = classroom.course.classroom / "autograded"
    assert name not in names(autograded / "eve" / NAME) and nothing_came_out(autograded)
    assert score(classroom, "eve") == 7


@pytest.mark.few(1)
@pytest.mark.parametrize("linked", ["learner's folder", "lesson's folder", "notebook"])
def test_anothers_work_by_a_link_is_no_work(classroom, linked):
    prepare(classroom.course, NAME)
    ada, eve = classroom.submitted / "ada", classroom.submitted / "eve"
    if linked == "learner's folder":
        eve.symlink_to(ada)
    elif linked == "lesson's folder":
        eve.mkdir()
        (eve / NAME).symlink_to(ada / NAME)
    else:
        (eve / NAME).mkdir(parents=True)
        (eve / NAME / NOTEBOOK).symlink_to(ada / NAME / NOTEBOOK)
    nbgrader(classroom, "autograde", NAME)
    assert score(classroom, "eve") == 0 and score(classroom, "ada") == 7
    assert "timestamp.txt" not in names(classroom.course.classroom / "autograded" / "eve" / NAME)
    assert (
        b"Because it is so." not in (classroom.course.classroom / "autograded" / "eve" / NAME / NOTEBOOK).read_bytes()
    )


def test_no_feedback_is_made_of_a_link_in_the_autograded_folder(classroom):
    assert main(["grade"]) == 0
    autograded, feedback = (classroom.course.classroom / step for step in ("autograded", "feedback"))
    shutil.rmtree(feedback)
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.update_or_create_student("eve")
        gradebook.update_or_create_submission(NAME, "eve")
    (autograded / "eve" / NAME).mkdir(parents=True)
    (autograded / "eve" / NAME / NOTEBOOK).symlink_to(autograded / "ada" / NAME / NOTEBOOK)
    done = nbgrader(classroom, "generate_feedback", NAME)
    assert done.returncode == 1 and f"{NOTEBOOK} is a link to another place; no feedback was made" in done.stderr
    assert names(feedback) == ["ada", f"ada/{NAME}", f"ada/{NAME}/{NAME}.html", f"ada/{NAME}/timestamp.txt"]


def test_feedback_that_is_refused_leaves_the_earlier_page(classroom, right):
    """The gradebook has an earlier result of ada's, as after a grader that died; zoe is asked last and gets hers."""
    for student in ("bob", "eve", "zoe"):
        hand_in(classroom.submitted / student / NAME, right)
    assert main(["grade"]) == 0
    folder = classroom.course.classroom
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        submission = gradebook.find_submission(NAME, "ada").id
        note_made_of(gradebook, {submission: MadeOf("earlier")})
        gradebook.db.commit()
    (folder / "journal" / NAME / "bob.json").unlink()
    (folder / "autograded" / "eve" / NAME / NOTEBOOK).unlink()
    (folder / "autograded" / "eve" / NAME / NOTEBOOK).symlink_to(folder / "autograded" / "ada" / NAME / NOTEBOOK)
    pages = {student: folder / "feedback" / student / NAME / f"{NAME}.html" for student in ("ada", "bob", "eve", "zoe")}
    for page in pages.values():
        page.write_text("earlier")
    done = nbgrader(classroom, "generate_feedback", NAME, "--force")
    assert done.returncode == 1 and f"ada, {NAME}: the result is not in the gradebook yet" in done.stderr
    assert f"bob, {NAME}: the journal has no result" in done.stderr and "is a link to another place" in done.stderr
    assert [student for student, page in pages.items() if page.read_text() != "earlier"] == ["zoe"]


@pytest.fixture
def exchange(classroom) -> Path:
    """The course's folder of the exchange, as `nbgrader release_assignment` makes it."""
    folder = classroom.course.classroom / "exchange" / "parallel-tensorflow"
    (folder / "inbound").mkdir(parents=True)
    return folder


def test_collect_takes_plain_notebooks_and_goes_on_after_what_it_refuses(classroom, exchange, key, right):
    assert main(["grade"]) == 0  # a gradebook that a link could lead to
    inbound = exchange / "inbound"
    hand_in(inbound / f"bob+{NAME}+{WHEN}+x", right, secret="b")
    (inbound / f"bob+{NAME}+{WHEN}+x" / "data.csv").write_text("1,2\n")
    set_traps(hand_in(inbound / f"eve+{NAME}+{WHEN}+x", right, secret="e"), key, classroom)
    (inbound / f"mal+{NAME}+{WHEN}+x").symlink_to(inbound / f"bob+{NAME}+{WHEN}+x")
    hand_in(inbound / f"..+{NAME}+{WHEN}+x", right)
    hand_in(inbound / f"odd+{NAME}+2026-01-01 10:{'9' * 30}+x", right)
    hand_in(inbound / f"zed+{NAME}+{WHEN}+x", right)
    (classroom.submitted / "zed").symlink_to(classroom.submitted / "ada")
    before = (classroom.submitted / "ada" / NAME / NOTEBOOK).stat().st_mtime_ns
    done = nbgrader(classroom, "collect", NAME, "--update")
    assert done.returncode == 0, done.stderr
    handed = [NOTEBOOK, "submission_secret.txt", "timestamp.txt"]
    assert names(classroom.submitted / "bob" / NAME) == handed
    assert names(classroom.submitted / "eve" / NAME) == handed
    assert sorted(path.name for path in classroom.submitted.iterdir()) == ["ada", "bob", "eve", "zed"]
    assert not (classroom.course.classroom / NAME).exists(), "not beside the learners' folders either"
    assert (classroom.submitted / "ada" / NAME / NOTEBOOK).stat().st_mtime_ns == before
    assert nothing_came_out(classroom.submitted / "bob", classroom.submitted / "eve")
    assert "data.csv" in done.stderr and "is a link to another place" in done.stderr
    assert done.stderr.count("Not collected:") == 3, "those of mal, odd and zed"
    assert "Left where it is in bob+" in done.stderr


def test_a_refused_update_leaves_what_was_collected_before(classroom, exchange, key, right):
    later = exchange / "inbound" / f"ada+{NAME}+2026-02-01 10:00:00 UTC+x"
    later.symlink_to(key.parent)
    before = names(classroom.submitted / "ada")
    done = nbgrader(classroom, "collect", NAME, "--update")
    assert f"{later} is a link to another place" in done.stderr
    assert names(classroom.submitted / "ada") == before


def test_an_update_that_cannot_be_written_leaves_what_was_collected_before(classroom, exchange, right):
    """A limit on files' sizes stands for a disk that is full."""
    before, inbound = names(classroom.submitted), exchange / "inbound"
    for student in ("ada", "new"):
        hand_in(inbound / f"{student}+{NAME}+2026-02-01 10:00:00 UTC+x", right.ljust(LARGEST + 1))
    hand_in(inbound / f"zoe+{NAME}+{WHEN}+x", right)
    done = nbgrader(classroom, "collect", NAME, "--update")
    assert done.stderr.count("(File too large).") == 2
    there = names(classroom.submitted)
    assert [name for name in there if name.startswith("ada")] == before
    assert f"zoe/{NAME}/{NOTEBOOK}" in there and "new" not in there


def test_collect_takes_what_is_newer_and_only_if_asked(classroom, exchange):
    inbound, there = exchange / "inbound", classroom.submitted / "ada" / NAME / NOTEBOOK
    before = there.read_bytes()
    hand_in(inbound / f"ada+{NAME}+{WHEN}+x", b"the same time")
    collect(classroom, update=True)
    assert there.read_bytes() == before
    hand_in(inbound / f"ada+{NAME}+2026-02-01 10:00:00 UTC+x", b"later")
    collect(classroom)
    assert there.read_bytes() == before
    collect(classroom, update=True)
    assert there.read_bytes() == b"later"


def collect(classroom: Classroom, **options: bool) -> None:
    """``nbgrader collect``, in this process: accounts of this machine can be made up."""
    config = nbgrader_config(classroom.course)
    config.CourseDirectory.assignment_id = NAME
    config.CourseDirectory.root = str(classroom.course.root)
    step = PlainCollect(
        coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config
    )
    step.log.propagate = True
    for key, value in options.items():
        setattr(step, key, value)
    step.start()


ACCOUNTS = {"ann": 11, "ben": 12, "cat": 13}
ADMINISTRATOR, TEACHER = 0, 77


@pytest.fixture
def accounts(monkeypatch):
    """``ACCOUNTS`` are this machine's; what follows the last ``+`` of a folder's name says whose it is."""
    monkeypatch.setattr(handing_over, "account_of", ACCOUNTS.get)
    monkeypatch.setattr(handing_over, "owner_of", lambda path: int(path.name.rsplit("+", 1)[1]))
    monkeypatch.setattr(handing_over, "trusted", lambda: {ADMINISTRATOR, TEACHER})


def said(caplog) -> str:
    return " ".join(record.getMessage() for record in caplog.records)


def test_what_another_account_handed_in_under_a_name_does_not_count(classroom, exchange, accounts, caplog, key):
    """Nor does it stand before the learner's own: the newest is chosen of what is in order."""
    inbound, first, later = exchange / "inbound", "2026-01-01 10:00:00 UTC", "2026-02-01 10:00:00 UTC"
    hand_in(inbound / f"ann+{NAME}+{first}+11", b"ann")
    hand_in(inbound / f"ann+{NAME}+{later}+12", b"forged")
    hand_in(inbound / f"ben+{NAME}+{first}+12", b"ben")
    (inbound / f"ben+{NAME}+{later}+13").symlink_to(key.parent / "nowhere")
    hand_in(inbound / f"cat+{NAME}+{first}+77", b"put there by the teacher")
    hand_in(inbound / f"dan+{NAME}+{first}+21", b"an account elsewhere")
    hand_in(inbound / f"eli+{NAME}+{first}+22", b"eli, or not")
    hand_in(inbound / f"eli+{NAME}+{later}+23", b"eli, or not?")
    collect(classroom)
    there = {path.parts[-3]: path.read_bytes() for path in classroom.submitted.glob(f"???/{NAME}/{NOTEBOOK}")}
    del there["ada"]
    assert there == {
        "ann": b"ann",
        "ben": b"ben",
        "cat": b"put there by the teacher",
        "dan": b"an account elsewhere",
    }
    assert f"ann+{NAME}+{later}+12 is of account 12, not of ann's." in said(caplog)
    assert said(caplog).count("different accounts handed in as eli: remove the wrong ones") == 2
    shutil.rmtree(classroom.submitted)
    collect(classroom, check_owner=False)
    assert (classroom.submitted / "ann" / NAME / NOTEBOOK).read_bytes() == b"forged", "nbgrader's own switch"


@pytest.mark.parametrize("step", ["_read", "_taken_of"])
def test_a_link_that_takes_a_folders_place_while_all_are_collected_is_not_followed(
    classroom, exchange, key, caplog, monkeypatch, step
):
    """Whoever handed in can exchange the two at any time."""
    folder = exchange / "inbound" / f"mal+{NAME}+{WHEN}+x"
    hand_in(folder, b"mal")
    (key.parent / NOTEBOOK).write_bytes(CANARY)
    then = getattr(PlainCollect, step)

    def exchanged(self, source, *more):
        if source == folder:
            folder.rename(folder.with_name("aside"))
            folder.symlink_to(key.parent)
        return then(self, source, *more)

    monkeypatch.setattr(PlainCollect, step, exchanged)
    collect(classroom)
    collected = classroom.submitted / "mal" / NAME / NOTEBOOK
    if step == "_read":
        assert not collected.exists() and f"Not collected: {folder}" in said(caplog)
    else:
        assert collected.read_bytes() == b"mal"


def test_names_that_would_clear_a_screen_or_forge_a_line_are_left_out_and_shown_plainly(classroom, exchange, key):
    inbound = exchange / "inbound"
    odd = ("x\x1b]0;taken\x07\x1b[2J", "x\n[CollectApp | INFO] all was collected", os.fsdecode(b"x\xff\xfe"))
    for end in odd:
        hand_in(inbound / f"mal+{NAME}+{WHEN}+{end}", b"mal")
    hand_in(inbound / f"zoe+{NAME}+{WHEN}+x", b"zoe")
    for done in (nbgrader(classroom, "collect", NAME), nbgrader(classroom, "list", NAME, "--inbound")):
        assert done.returncode == 0 and "\x1b" not in done.stderr and "\n[CollectApp | INFO] all" not in done.stderr
        assert done.stderr.count("is named in a way that nbgrader does not.") == 3
    assert f"zoe {NAME}" in done.stderr and (classroom.submitted / "zoe" / NAME / NOTEBOOK).exists()
    assert not (classroom.submitted / "mal").exists()


@pytest.mark.few(2)
@pytest.mark.parametrize("what", ["pipe", "folder", "name", "secret", "empty", "large", "many"])
def test_what_nbgrader_cannot_list_hinders_no_other(classroom, exchange, what):
    folder = hand_in(exchange / "inbound" / f"mal+{NAME}+{WHEN}+x", b"mal", secret="x")
    hand_in(exchange / "inbound" / f"zoe+{NAME}+{WHEN}+x", b"zoe")
    if what == "pipe":
        os.mkfifo(folder / "a.ipynb")
    elif what == "folder":
        (folder / "a.ipynb").mkdir()
    elif what == "name":
        (folder / os.fsdecode(b"\xff.ipynb")).write_bytes(b"")
    elif what == "many":
        for number in range(handing_over.MAX_NOTEBOOKS):
            (folder / f"{number}.ipynb").touch()
    elif what == "large":
        with (folder / "a.ipynb").open("wb") as file:
            file.truncate(handing_over.MAX_FILE_BYTES + 1)
    else:
        (folder / "submission_secret.txt").write_bytes(b"" if what == "empty" else b"\xff")
    done = nbgrader(classroom, "list", NAME, "--inbound")
    assert done.returncode == 0 and "Traceback" not in done.stderr and f"zoe {NAME}" in done.stderr
    assert f"Left out: {folder} is a folder" in done.stderr


def test_what_nbgrader_and_the_server_log_is_shown_plainly(caplog):
    log = logging.getLogger("somebody's")
    log.warning("Copying from: %s", "a\x1b[2J\nb\u202e")
    assert caplog.records[0].getMessage() == "Copying from: a�[2J\n    b�"
    try:
        raise KeyError("no kernel\x1b]0;title\x07")
    except KeyError as error:
        log.exception(error)
    assert "no kernel" in caplog.text and not {"\x1b", "\x07"}.intersection(caplog.text)


@pytest.fixture
def closed(monkeypatch):
    """``closed`` holds paths that may not be read, as a learner can have it; whoever runs the tests may read all."""
    paths: set[Path] = set()
    real, list_of = os.open, Path.iterdir

    def opened(path, *args, **kwargs):
        if Path(os.fsdecode(path)) in paths:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *args, **kwargs)

    def entries(self):
        if self in paths:
            raise PermissionError(13, "Permission denied", str(self))
        return list_of(self)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(Path, "iterdir", entries)
    return paths


@pytest.mark.parametrize("what", ["folder", "notebook", "large"])
def test_a_folder_that_cannot_be_read_stops_nobody_and_replaces_nothing(classroom, exchange, closed, caplog, what):
    inbound, later = exchange / "inbound", "2026-02-01 10:00:00 UTC"
    for student in ("ann", "mal", "zoe"):
        hand_in(inbound / f"{student}+{NAME}+{WHEN}+x", student.encode())
    collect(classroom)
    for student in ("ann", "mal", "zoe"):
        hand_in(inbound / f"{student}+{NAME}+{later}+x", b"later")
    odd = inbound / f"mal+{NAME}+{later}+x"
    if what == "large":
        with (odd / NOTEBOOK).open("wb") as file:
            file.truncate(10**9)
    closed |= {odd} if what == "folder" else {odd / NOTEBOOK} if what == "notebook" else set()
    (inbound / f"new+{NAME}+{WHEN}+x").mkdir()
    closed.add(inbound / f"new+{NAME}+{WHEN}+x")
    collect(classroom, update=True)
    there = {path.parts[-3]: path.read_bytes() for path in classroom.submitted.glob(f"*/{NAME}/{NOTEBOOK}")}
    assert (there["ann"], there["mal"], there["zoe"]) == (b"later", b"mal", b"later")
    assert not (classroom.submitted / "new").exists(), "an empty folder would be work without a notebook"
    assert f"Not collected: {odd} is " in said(caplog)


def test_a_folder_that_goes_while_others_are_collected_stops_nobody(classroom, exchange, monkeypatch, caplog):
    inbound = exchange / "inbound"
    for student in ("ann", "mal", "zoe"):
        hand_in(inbound / f"{student}+{NAME}+{WHEN}+x", student.encode())
    real = PlainCollect.copy_files

    def meanwhile(self):
        shutil.rmtree(inbound / f"mal+{NAME}+{WHEN}+x")
        real(self)

    monkeypatch.setattr(PlainCollect, "copy_files", meanwhile)
    collect(classroom)
    assert sorted(path.name for path in classroom.submitted.iterdir()) == ["ada", "ann", "zoe"]
    assert f"mal+{NAME}+{WHEN}+x (No such file or directory)" in said(caplog)


@pytest.mark.parametrize("time", [None, b"", b"soon", b"\xff", "link"])
def test_who_hands_in_without_a_time_gets_the_one_of_the_folders_name(classroom, exchange, caplog, key, time):
    """Else nobody would be late who takes the time away."""
    folder = hand_in(exchange / "inbound" / f"mal+{NAME}+{WHEN}+x", b"mal", secret="s")
    (folder / "timestamp.txt").unlink()
    if time == "link":
        (folder / "timestamp.txt").symlink_to(key)
    elif time is not None:
        (folder / "timestamp.txt").write_bytes(time)
    collect(classroom)
    there = classroom.submitted / "mal" / NAME
    assert time_of(there) == WHEN and names(there) == [NOTEBOOK, "submission_secret.txt", "timestamp.txt"]
    assert f"has no timestamp.txt with a time; {WHEN} was written." in said(caplog)
    assert "timestamp.txt says 2026-01-01 10:00" in odd_time(Task("mal", NAME, there)), "a false name is pointed out"


@pytest.mark.parametrize("name", ["*", "[a]", "ad?"])
def test_a_pattern_is_nobodys_name(classroom, exchange, caplog, name):
    """`release_feedback --student=*`, as Formgrader's button on that row does, would be for everybody."""
    hand_in(exchange / "inbound" / f"{name}+{NAME}+{WHEN}+x", b"mal")
    collect(classroom)
    assert [path.name for path in classroom.submitted.iterdir()] == ["ada"]
    assert "cannot be a student's id: nbgrader takes it for a pattern" in said(caplog)


def test_a_name_that_is_no_id_and_a_thousand_notebooks_are_said(classroom, exchange, caplog):
    hand_in(exchange / "inbound" / f"m\u202eal+{NAME}+{WHEN}+x", b"mal")
    folder = hand_in(exchange / "inbound" / f"zoe+{NAME}+{WHEN}+x", b"zoe")
    for number in range(120):
        (folder / f"0{number}.ipynb").write_bytes(b"")
    collect(classroom)
    assert sorted(path.name for path in classroom.submitted.iterdir()) == ["ada", "zoe"]
    assert (classroom.submitted / "zoe" / NAME / NOTEBOOK).read_bytes() == b"zoe"
    assert "cannot be a student's id: it holds characters that cannot be seen" in said(caplog)
    assert "Not collected: 21 more notebooks" in said(caplog)


def test_released_feedback_is_each_learners_own_page(classroom, exchange, key, right):
    for student in ("bob", "eve", "mal", "zed"):
        hand_in(classroom.submitted / student / NAME, right, secret=f"secret of {student}")
    assert main(["grade"]) == 0  # ada was handed in by hand: no secret
    feedback = classroom.course.classroom / "feedback"
    (feedback / "eve" / NAME / f"{NAME}.html").unlink()
    (feedback / "eve" / NAME / f"{NAME}.html").symlink_to(key)
    (feedback / "mal" / NAME / "submission_secret.txt").unlink()
    (feedback / "mal" / NAME / "submission_secret.txt").symlink_to(feedback / "bob" / NAME / "submission_secret.txt")
    (feedback / "bob" / NAME / "more.html").symlink_to(key)
    for name in (f"{NAME}.html", "submission_secret.txt"):  # as a backup by hard links makes it
        os.link(feedback / "bob" / NAME / name, classroom.course.root / name)
    shutil.rmtree(feedback / "zed")
    (feedback / "zed").symlink_to(feedback / "bob")
    done = nbgrader(classroom, "release_feedback", NAME)
    assert done.returncode == 0, done.stderr
    bobs = notebook_hash(secret="secret of bob", notebook_id=NAME)
    assert names(exchange / "feedback") == [f"{bobs}.html"]
    assert (exchange / "feedback" / f"{bobs}.html").read_bytes() == (
        feedback / "bob" / NAME / f"{NAME}.html"
    ).read_bytes()
    for student in ("ada", "eve", "mal", "zed"):
        assert f"No feedback was released for {student}: " in done.stderr


def test_feedback_is_released_under_the_name_that_the_notebook_was_handed_in_by(classroom, exchange, right):
    """nbgrader's fetch_feedback asks by that name; the grader took it, as it is the only notebook."""
    for student, name in (("bob", f"{NAME} (1)"), ("eve", os.fsdecode(b"\xff"))):
        folder = hand_in(classroom.submitted / student / NAME, right, secret=student)
        (folder / NOTEBOOK).rename(folder / f"{name}.ipynb")
    assert main(["grade"]) == 0
    assert nbgrader(classroom, "release_feedback", NAME).returncode == 0
    released = {notebook_hash(secret="bob", notebook_id=name) for name in (NAME, f"{NAME} (1)")}
    released.add(notebook_hash(secret="eve", notebook_id=NAME))
    assert set(names(exchange / "feedback")) == {f"{name}.html" for name in released}


def test_zip_collect_takes_plain_files(classroom, key, right):
    shutil.rmtree(classroom.submitted)
    archive = classroom.course.classroom / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "bob.zip", "w") as file:
        file.writestr(f"bob-{NOTEBOOK}", right)
        file.writestr("data.csv", "1,2")
    how = (
        "--force",
        f"--FileNameCollectorPlugin.named_regexp=.*/(?P<student_id>[^/]+)-(?P<file_id>{NAME})",
    )
    (archive / f"eve-{NOTEBOOK}").symlink_to(key)
    done = nbgrader(classroom, "zip_collect", NAME, *how)
    assert done.returncode and f"eve-{NOTEBOOK} is a link to another place" in done.stderr
    (archive / f"eve-{NOTEBOOK}").unlink()
    done = nbgrader(classroom, "zip_collect", NAME, *how)
    assert done.returncode == 0, done.stderr
    assert names(classroom.submitted) == ["bob", f"bob/{NAME}", f"bob/{NAME}/{NOTEBOOK}"]
    assert not (classroom.course.root / "downloaded").exists(), "what a class handed in lies in classroom/"
    assert (classroom.submitted / "bob" / NAME / NOTEBOOK).read_bytes() == right


def test_what_zip_collect_extracts_is_closed_where_others_may_go_through_the_class(classroom):
    classroom.course.classroom.chmod(0o711)
    zip_collect(classroom, {"class.zip": {f"Lab_zoe_{EARLY}_{NOTEBOOK}": b"zoe"}})
    for name in ("downloaded", "submitted"):
        assert (classroom.course.classroom / name).stat().st_mode & 0o077 == 0


def test_zip_collects_second_step_takes_plain_files_too(classroom, key):
    from autograder.classroom.handing_over import PlainCollector

    collector = PlainCollector(named_regexp=r".*/(?P<student_id>[^-]+)-(?P<file_id>.+)\.ipynb")
    folder = key.parent / "extracted"
    (folder / "deep").mkdir(parents=True)
    (folder / "eve-a.ipynb").symlink_to(key)
    (folder / "..-a.ipynb").write_text("{}")
    (folder / "ada-a.ipynb").write_text("{}")
    assert collector.collect(str(folder / "eve-a.ipynb")) is None
    assert collector.collect(str(folder / "..-a.ipynb")) is None
    assert collector.collect(str(folder / "ada-a.ipynb"))["student_id"] == "ada"


def test_zip_collect_believes_no_name_that_a_learner_chose(tmp_path, caplog):
    """Part of a path is the system's, which says whose it is; what follows may be a learner's, with another's name."""
    from autograder.classroom.handing_over import PlainCollector

    collector = PlainCollector()
    collector.log.propagate = True

    def collect(name: str) -> dict | None:
        path = tmp_path / "my_course" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
        return collector.collect(str(path))

    eves = "01_sums_eve_attempt_2026-01-30-15-00-00_x"
    for name in (f"{eves}_ada_attempt_2099-01-01-10-00-00_01_sums.ipynb", f"{eves}/y_ada_attempt_2099-01-01_z.ipynb"):
        assert collect(name)["student_id"] == "eve", name
    assert collect("01_sums_ada_attempt_2026-99-99_01_sums.ipynb") is None
    collector.named_regexp = r".*/(?P<student_id>[^-/]+)-(?P<file_id>.+)\.ipynb"
    assert collect("a/bob-01_sums.ipynb")["student_id"] == "bob"
    assert collect("\x1b]0;bob-01_sums.ipynb") is None
    said = " ".join(record.getMessage() for record in caplog.records if record.levelname == "ERROR")
    assert "names a time that is none" in said and "names a learner who cannot be one" in said


@pytest.mark.parametrize("others", [("ada", "j"), ("ada",)])
def test_zip_collect_gives_nobody_the_work_of_one_whose_id_ends_alike(tmp_path, caplog, others):
    from autograder.classroom.handing_over import PlainCollector

    collector = PlainCollector()
    collector.log.propagate = True
    names = [f"Lab_{who}_attempt_2026-11-20-10-00-00_01_sums.ipynb" for who in (*others, "b_j")]
    for name in names:
        (tmp_path / name).write_text("{}")
    collector.choose([str(tmp_path / name) for name in names])
    taken = [collector.collect(str(tmp_path / name)) for name in names]
    assert taken[-1] is None and [found["student_id"] for found in taken[:-1]] == list(others)
    assert sum("may be j's or another's" in record.getMessage() for record in caplog.records) == 2, "once for each call"


def zip_collect(classroom: Classroom, archives: dict[str, dict[str, bytes]], *how: str) -> tuple[dict, str]:
    """What ``nbgrader zip_collect`` makes of downloads: all that lies in ``submitted/`` then, and what it said."""
    for name, files in archives.items():
        path = classroom.course.classroom / "downloaded" / NAME / "archive" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed(files))
    done = nbgrader(classroom, "zip_collect", NAME, "--force", *how)
    assert done.returncode == 0, done.stderr
    there = [path for path in classroom.submitted.rglob("*") if path.is_file() and path.name != "timestamp.txt"]
    return {path.relative_to(classroom.submitted).as_posix(): path.read_bytes() for path in there}, done.stderr


def packed(files: dict[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return archive.getvalue()


EARLY, LATER = "attempt_2026-11-10-18-45-12", "attempt_2026-11-20-18-45-12"


@pytest.mark.few(1)
@pytest.mark.parametrize("apart", [False, True], ids=["in one download", "in two"])
def test_zip_collect_gives_nobody_the_archive_of_one_whose_id_ends_alike(classroom, apart):
    """Of a notebook in an archive it is a folder's name that says whose it is."""
    shutil.rmtree(classroom.submitted)
    honest = {f"Lab_{who}_{EARLY}_{NOTEBOOK}": who.encode() for who in ("ada", "j")}
    others = {f"Lab_b_j_{LATER}_{NAME}.zip": packed({NOTEBOOK: b"b_j"})}
    downloads = {"class.zip": honest, "late.zip": others} if apart else {"class.zip": honest | others}
    taken, said = zip_collect(classroom, downloads)
    assert taken == {f"ada/{NAME}/{NOTEBOOK}": b"ada", f"j/{NAME}/{NOTEBOOK}": b"j"}
    assert said.count("may be j's or another's whose id ends so") == 1


def test_zip_collect_takes_no_part_of_longer_ids_where_all_are_longer(classroom):
    shutil.rmtree(classroom.submitted)
    names = [f"Lab_{who}_{EARLY}_{NOTEBOOK}" for who in ("ann_lee", "bob_lee", "cy.lee")]
    names.append(f"Lab_cy.lee_{EARLY}_x_ada_{LATER}_{NOTEBOOK}")  # such an id is not read: nor is what follows it
    taken, _ = zip_collect(classroom, {"class.zip": dict.fromkeys(names, b"{}")})
    assert not taken


def test_zip_collect_takes_each_learners_newest_attempt_as_it_was_named(classroom):
    shutil.rmtree(classroom.submitted)
    renewed = {f"Lab_ada_{EARLY}_{NAME}{end}.ipynb": end.encode() for end in ("", ".old")}  # as `course lab` leaves it
    work = {NOTEBOOK: b"bob", "notes.ipynb": b"notes", "zz_scratch.ipynb": b"scratch"}
    work[f".ipynb_checkpoints/{NAME}-checkpoint.ipynb"] = b"a program's"
    again = {f"Lab_cat_{EARLY}_{NOTEBOOK}": b"first", f"Lab_cat_{LATER}_final.ipynb": b"final"}
    taken, _ = zip_collect(classroom, {"class.zip": {**renewed, f"Lab_bob_{EARLY}_work.zip": packed(work), **again}})
    assert taken == {
        f"ada/{NAME}/{NOTEBOOK}": b"",
        f"ada/{NAME}/{NAME}.old.ipynb": b".old",
        f"bob/{NAME}/{NOTEBOOK}": b"bob",
        f"bob/{NAME}/notes.ipynb": b"notes",
        f"bob/{NAME}/zz_scratch.ipynb": b"scratch",
        f"cat/{NAME}/final.ipynb": b"final",
    }


@pytest.mark.parametrize("linked", ["learner's folder", "lesson's folder"])
def test_zip_collect_writes_and_removes_nothing_through_a_link(classroom, linked):
    ada, eve = classroom.submitted / "ada", classroom.submitted / "eve"
    before = (ada / NAME / NOTEBOOK).read_bytes()
    if linked == "learner's folder":
        eve.symlink_to(ada)
    else:
        eve.mkdir()
        (eve / NAME).symlink_to(ada / NAME)
    names = [f"Lab_{who}_{EARLY}_{NOTEBOOK}" for who in ("eve", "zoe")]
    taken, said = zip_collect(classroom, {"class.zip": dict.fromkeys(names, b"theirs")})
    assert (ada / NAME / NOTEBOOK).read_bytes() == before and taken[f"zoe/{NAME}/{NOTEBOOK}"] == b"theirs"
    assert "Not collected: eve's work would go through" in said


def test_zip_collect_guesses_of_no_two_files_which_one_counts(classroom):
    """Nor is what else lies beside them taken: it would be graded as the only notebook."""
    shutil.rmtree(classroom.submitted)
    two = {f"{folder}/{NOTEBOOK}": folder.encode() for folder in ("a", "b")} | {"notes.ipynb": b"notes"}
    many = {f"{number}.ipynb": b"" for number in range(handing_over.MAX_NOTEBOOKS + 1)}
    names = {f"Lab_bob_{EARLY}_work.zip": packed(two), f"Lab_eve_{EARLY}_work.zip": packed(many)}
    taken, said = zip_collect(classroom, {"class.zip": {f"Lab_ada_{EARLY}_{NOTEBOOK}": b"ada", **names}})
    assert taken == {f"ada/{NAME}/{NOTEBOOK}": b"ada"}
    assert f"Not collected: bob's work, as 2 of the newest files would be {NOTEBOOK}." in said
    assert "Not collected: eve's work, as there are more than 100 notebooks." in said


@pytest.mark.parametrize("time", ["", r"(?:(?P<timestamp>\d{4}-\d\d-\d\d)-)?"], ids=["no times", "some have times"])
def test_one_learners_names_do_not_stop_zip_collect_for_the_class(classroom, time):
    shutil.rmtree(classroom.submitted)
    names = [f"{who}-{NOTEBOOK}" for who in ("ada", "eve", "mal")]
    names += [f"eve-{NAME}.old.ipynb", f"mal-2026-01-01-{NOTEBOOK}"]
    shape = rf"--FileNameCollectorPlugin.named_regexp=.*/(?P<student_id>[^-/]+)-{time}(?P<file_id>.+)\.ipynb"
    taken, said = zip_collect(classroom, {"class.zip": {name: name.encode() for name in names}}, shape)
    assert taken[f"ada/{NAME}/{NOTEBOOK}"] == b"ada-01_sums.ipynb"
    assert taken[f"eve/{NAME}/{NOTEBOOK}"] == b"eve-01_sums.ipynb", "not the copy that has another name"
    assert ("Not collected: mal's work" in said) == bool(time)


@pytest.mark.parametrize(
    ("written", "read"), [("18-45-12", "18:45:12"), ("09-05-59", "09:05:59"), ("10-00-00", "10:00:00")]
)
def test_zip_collect_reads_blackboards_times_as_collect_does(tmp_path, monkeypatch, written, read):
    from autograder.classroom.handing_over import PlainCollector

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    path = tmp_path / f"Lab_ada_attempt_2026-11-10-{written}_01_sums.ipynb"
    path.write_text("{}")
    found = PlainCollector().collect(str(path))
    assert found and parse_utc(found["timestamp"]) == datetime.fromisoformat(f"2026-11-10 {read}")


def test_zip_collect_gives_a_single_archive_of_the_class_all_the_room(tmp_path, monkeypatch):
    archive, extracted = tmp_path / "archive", tmp_path / "extracted"
    for folder in (archive, extracted):
        folder.mkdir()
    with zipfile.ZipFile(archive / "class.zip", "w") as opened:
        for number in range(30):
            opened.writestr(f"{number}.ipynb", "{}")
    (archive / ".DS_Store").write_bytes(b"x")
    monkeypatch.setattr(handing_over.Budget, "on_disk", lambda _: handing_over.Budget(200_000, 40))
    handing_over.PlainExtractor().extract(str(archive), str(extracted))
    assert len(list(extracted.rglob("*.ipynb"))) == 30


def test_a_copy_that_cannot_be_finished_leaves_nothing(tmp_path):
    (tmp_path / "a.ipynb").write_bytes(bytes(5000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError):
            handing_over.copy_plain(tmp_path / "a.ipynb", tmp_path / "copy" / "a.ipynb", 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names(tmp_path) == ["a.ipynb", "copy"]


def test_zip_collect_ends_where_the_disk_fills(classroom, monkeypatch, capfd):
    """Else an attempt before the one that does not fit would be the newest."""

    def full(source, dest, limit):
        raise OSError(28, "No space left on device")

    archive = classroom.course.classroom / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    (archive / f"Lab_ada_{EARLY}_{NOTEBOOK}").write_text("ada")
    half = archive.parent / "extracted"
    half.mkdir()
    monkeypatch.setattr(ZipCollectApp, "_configure_logging", lambda app: None)
    monkeypatch.setattr(handing_over, "copy_plain", full)
    app = ZipCollectApp()
    app.coursedir = CourseDirectory(root=str(classroom.course.classroom), assignment_id=NAME)
    app.init_plugins()
    app.extractor_plugin_inst = handing_over.PlainExtractor()
    with pytest.raises(SystemExit):
        app.extract_archive_files()
    assert "The disk has no room left" in capfd.readouterr().err and not half.exists()


def test_one_odd_file_does_not_end_zip_collect_for_the_class(tmp_path, caplog):
    from autograder.classroom.handing_over import PlainExtractor

    archive, extracted = tmp_path / "archive", tmp_path / "extracted"
    for folder in (archive, extracted):
        folder.mkdir()
    (archive / "a.ipynb").write_bytes(b"")
    with (archive / "giant.ipynb").open("wb") as file:
        file.truncate(10**9)  # without a byte on the disk
    for name in ("doe.jane.zip", "doe.john.zip"):
        with zipfile.ZipFile(archive / name, "w") as opened:
            opened.writestr("01.ipynb", name)
    (archive / "bad.zip").write_bytes(b"PK\x05\x06")
    (archive / "z.ipynb").write_bytes(b"")
    extractor = PlainExtractor()
    extractor.log.propagate = True
    extractor.extract(str(archive), str(extracted))
    assert names(extracted) == [
        "a.ipynb", "doe.jane", "doe.jane/01.ipynb", "doe.john", "doe.john/01.ipynb", "z.ipynb",
    ]  # fmt: skip
    said = [record.getMessage() for record in caplog.records if "was not extracted" in record.getMessage()]
    assert len(said) == 2


def test_a_folder_of_a_files_name_leaves_no_file_open(tmp_path):
    (tmp_path / "x.ipynb").mkdir()
    descriptors = Path("/proc/self/fd")
    before = len([*descriptors.iterdir()]) if sys.platform == "linux" else 0
    for _ in range(5):
        with pytest.raises(OSError):
            plain_bytes(tmp_path / "x.ipynb", 1000)
    assert not before or len([*descriptors.iterdir()]) <= before


def test_plain_files_are_files_and_nothing_else(tmp_path, key):
    (tmp_path / "link").symlink_to(key)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert [what_is_odd(tmp_path / name) for name in ("secret.key", "folder", "link", "pipe")] == [
        "", "", "a link to another place", "a pipe",
    ]  # fmt: skip
    assert what_is_odd(Path("/dev/zero")) == "a device" and "No such file" in what_is_odd(tmp_path / "none")
    assert plain_bytes(key, 1000) == CANARY
    for name in ("link", "pipe", "folder", "none"):
        with pytest.raises(OSError):
            plain_bytes(tmp_path / name, 1000)
    with pytest.raises(OSError, match="more than 5 bytes"):
        plain_bytes(key, 5)
    assert odd_folder(tmp_path / "folder") == "" and "is not a folder" in odd_folder(key)


HOSTILE = [b"J\xf6rg", b"\naa", b"zz\nada", b"n" * 252, b"\x1b[2J", "\u202eada".encode()]
HOSTILE += [b" ada", b"*", b"--help", b"[a]"]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(os.fsdecode(name))[:20])
def test_autograde_beside_a_folder_of_a_hostile_name(classroom, right, name):
    """nbgrader may refuse that folder; ada gets her points and nothing of a terminal's codes comes out."""
    prepare(classroom.course, NAME)
    hand_in(Path(os.fsdecode(os.fsencode(classroom.submitted) + b"/" + name), NAME), right)
    done = nbgrader(classroom, "autograde", NAME)
    assert score(classroom, "ada") == 7, done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_zip_collect_takes_a_class_beside_what_macos_writes_and_another_section(classroom):
    """Names that only begin alike in a word are two assignments', and no part of anybody's id."""
    shutil.rmtree(classroom.submitted)
    names = {f"Lab_{who}_{EARLY}_{NOTEBOOK}": who.encode() for who in ("ada", "bob")}
    names |= {f"._Lab_ada_{EARLY}_{NOTEBOOK}": b"\0\5\x16\7", f"Lab - section 2_dan_{EARLY}_{NOTEBOOK}": b"dan"}
    taken, _ = zip_collect(classroom, {"class.zip": names})
    assert taken == {f"{who}/{NAME}/{NOTEBOOK}": who.encode() for who in ("ada", "bob", "dan")}


@pytest.mark.few(1)
@pytest.mark.parametrize("odd", ["._", "._.", "x/._"])
def test_a_name_of_macos_without_a_file_beside_ends_zip_collect_for_nobody(classroom, odd):
    shutil.rmtree(classroom.submitted)
    archive = classroom.course.classroom / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    files = {f"./{odd}": b"\0\5\x16\7", f"./{NOTEBOOK}": b"bob"}
    with tarfile.open(archive / f"Lab_bob_{EARLY}_work.tgz", "w:gz") as opened:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            opened.addfile(about, io.BytesIO(content))
    taken, _ = zip_collect(classroom, {"class.zip": {f"Lab_ada_{EARLY}_{NOTEBOOK}": b"ada"}})
    assert taken == {f"{who}/{NAME}/{NOTEBOOK}": who.encode() for who in ("ada", "bob")}


def test_zip_collect_takes_work_with_an_environment_beside_it(classroom):
    shutil.rmtree(classroom.submitted)
    names = {f".venv/lib/{number}.py": b"" for number in range(30_000)}
    work = packed(names | {".git/config": b"", NOTEBOOK: b"ada"})
    mine, other = f"Lab_ada_{EARLY}_work.zip", {f"Lab_bob_{EARLY}_{NOTEBOOK}": b"bob"}
    taken, said = zip_collect(classroom, {"a.zip": {mine: work}, "b.zip": other})
    assert taken == {f"{who}/{NAME}/{NOTEBOOK}": who.encode() for who in ("ada", "bob")}, said


def test_zip_collect_names_who_handed_in_no_notebook_last(classroom):
    """A browser's .txt behind a name, a later attempt with a picture; not what Blackboard writes beside each."""
    shutil.rmtree(classroom.submitted)
    names = {f"Lab_{who}_{EARLY}_{NOTEBOOK}": who.encode() for who in ("ada", "dan")}
    names |= {f"Lab_ada_{EARLY}.txt": b"a note", f"Lab_cat_{EARLY}_01_sums.Ipynb": b"cat"}
    names |= {f"Lab_b_j_{EARLY}_{NOTEBOOK}": b"whose?", f"Lab_b_j_{EARLY}_notes.txt": b"whose?"}
    names |= {f"Lab_bob_{EARLY}_{NOTEBOOK}.txt": b"bob", f"Lab_dan_{LATER}_picture.png": b"dan"}
    taken, said = zip_collect(classroom, {"class.zip": names})
    work = {f"{who}/{NAME}/{NOTEBOOK}": who.encode() for who in ("ada", "dan")}
    assert taken == work | {f"cat/{NAME}/01_sums.Ipynb": b"cat"}
    assert f"No notebook was taken of what bob handed in last: Lab_bob_{EARLY}_{NOTEBOOK}.txt." in said
    assert f"what dan handed in last: Lab_dan_{LATER}_picture.png. An earlier attempt has one." in said
    assert f"was taken of what j handed in last: Lab_b_j_{EARLY}_notes.txt." in said
    assert "4 files that are no notebooks (.ipynb) were left out" in said and said.count("handed in last") == 3


def chosen(folder, *fronts):
    """What zip_collect takes of files that begin so, in an empty folder."""
    paths = [str(folder / f"{front}_{EARLY}_{NOTEBOOK}") for front in fronts]
    for path in paths:
        Path(path).write_text("{}")
    return [Path(path).name.partition("_attempt")[0] for path in PlainCollector().choose(paths)]


@pytest.mark.parametrize(
    ("ids", "taken"),
    [("a_j c_k", ""), ("ab_j ac_k", ""), ("b_j ada", "ada"), ("x_j y z_y", "y"), ("ada bob", "ada bob")],
)
def test_zip_collect_takes_no_part_of_an_id_whatever_the_others_are_called(tmp_path, ids, taken):
    assert chosen(tmp_path, *(f"Lab_{who}" for who in ids.split())) == [f"Lab_{who}" for who in taken.split()]


def test_zip_collect_reads_many_names_at_once(tmp_path):
    watch = Stopwatch()
    assert len(chosen(tmp_path, *(f"{n}_Lab_x{n}_y{n}" for n in range(3000)))) == 3000
    assert watch.seconds() < 10, "minutes, where each is compared with all others"


def test_a_submission_that_cannot_be_written_leaves_the_one_before(tmp_path):
    dest = tmp_path / "ada" / NAME
    with in_its_place(dest) as new:
        (new / NOTEBOOK).write_bytes(b"first")
    with pytest.raises(OSError), in_its_place(dest) as new:
        (new / NOTEBOOK).write_bytes(b"half")
        raise OSError(28, "no space left")
    assert [path.name for path in dest.parent.iterdir()] == [NAME] and (dest / NOTEBOOK).read_bytes() == b"first"
    dest.rename(dest.with_name(f".{NAME}.old.123{UNFINISHED}"))  # as a process leaves it that is killed in between
    with pytest.raises(OSError), in_its_place(dest) as new:
        raise OSError(28, "no space left")
    assert [path.name for path in dest.parent.iterdir()] == [NAME] and (dest / NOTEBOOK).read_bytes() == b"first"


def test_zip_collect_goes_on_where_one_learners_work_cannot_be_written(classroom, monkeypatch, caplog):
    def full(source, dest, limit, real=handing_over.copy_plain):
        if "bob" in str(dest):
            raise OSError(28, "no space left")
        return real(source, dest, limit)

    # traitlets' way closes every handler of this process, and absl's (with TensorFlow) then closes pytest's own stderr
    monkeypatch.setattr(ZipCollectApp, "_configure_logging", lambda app: None)
    app = ZipCollectApp()
    app.force, app.log = True, logging.getLogger("of this test")
    sources = {who: classroom.course.classroom / f"{who}.ipynb" for who in ("ada", "bob", "cat")}
    for who, source in sources.items():
        source.write_text(who)
    monkeypatch.setattr(handing_over, "copy_plain", full)
    monkeypatch.setattr(handing_over, "_submitted", lambda courses, student: classroom.submitted / student / NAME)
    before = [*classroom.submitted.glob("bob/*/*")]
    when = datetime(2026, 11, 10, 18, 45, 12)
    about = {
        who: {"src_files": [str(source)], "dest_files": [f"x/{NOTEBOOK}"], "timestamp": when}
        for who, source in sources.items()
    }
    app._transfer_files(about)
    assert "bob's work (no space left)" in caplog.text and [*classroom.submitted.glob("bob/*/*")] == before
    for who in ("ada", "cat"):
        folder = classroom.submitted / who / NAME
        assert (folder / NOTEBOOK).read_text() == who and (
            folder / "timestamp.txt"
        ).read_text() == "2026-11-10 18:45:12"
