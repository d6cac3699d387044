"""One grader at a time, Ctrl-C, late flags, and what an earlier grader left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import datetime

import psutil
import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom.grading_lock import alone, lock_path, only_grader
from autograder.classroom.journal import journal_of
from autograder.classroom.submissions import Classroom, Task
from autograder.cli import main
from autograder.errors import CourseError
from autograder.nbgrader_glue import nbgrader_config
from tests.conftest import ROOT
from tests.grading.conftest import NAME

pytestmark = pytest.mark.xdist_group("gradebook")


@pytest.fixture
def classroom(sums_course):
    return Classroom(sums_course)


def put(classroom, student, raw, handed_in=None):
    folder = classroom.submitted / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.ipynb").write_bytes(raw)
    if handed_in:
        (folder / "timestamp.txt").write_text(handed_in)


def start(course, *arguments):
    environment = {**os.environ, "COURSE_ROOT": str(course.root), "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


HOLD = """
import time
from autograder.classroom.grading_lock import only_grader
from autograder.paths import find_course
with only_grader(find_course()):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(course):
    environment = {**os.environ, "COURSE_ROOT": str(course.root), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", HOLD], env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def end(process):
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_second_grader_is_refused_and_told_who_holds_the_class(classroom, right, capsys):
    put(classroom, "ada", right)
    other = holder(classroom.course)
    try:
        assert main(["grade"]) == 2
        said = capsys.readouterr().err
        assert f"process {other.pid}, since {datetime.now():%Y-%m-%d} " in said and "Ctrl-C" in said
        assert main(["due", "1", "2026-12-01"]) == 2 and "graded already" in capsys.readouterr().err
        assert not classroom.gradebook.exists()
        with pytest.raises(CourseError, match=f"process {other.pid}"), alone(classroom.course):
            pass
    finally:
        end(other)
    assert main(["grade"]) == 0, "the lock of a process that was killed is free"
    assert lock_path(classroom.course).read_bytes() == b""


def test_the_lock_is_ours_only_inside(sums_course):
    with only_grader(sums_course):
        with alone(sums_course):
            pass
        with pytest.raises(CourseError, match=f"process {os.getpid()}"), only_grader(sums_course):
            pass
    with only_grader(sums_course):
        pass


@pytest.mark.few(1)
@pytest.mark.parametrize(("command", "made"), [("autograde", "autograded"), ("generate_feedback", "feedback")])
def test_nbgraders_own_command_waits_its_turn(classroom, right, command, made):
    put(classroom, "ada", right)
    assert main(["grade"]) == 0
    [page] = (classroom.course.classroom / made / "ada" / NAME).glob(f"{NAME}.*")
    before = page.stat()
    other = holder(classroom.course)
    try:
        environment = {**os.environ, "JUPYTER_CONFIG_PATH": str(classroom.course.config)}
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", command, NAME, "--force"],
            cwd=classroom.course.notebooks, env=environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
    finally:
        end(other)
    assert done.returncode and "This class is being graded already" in done.stderr
    after = page.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns), "a refusal touches nothing"


@pytest.mark.few(1)
@pytest.mark.parametrize(("step", "made"), [(Autograde, "autograded"), (GenerateFeedback, "feedback")])
def test_nobody_comes_between_two_submissions_of_nbgraders_own_command(classroom, right, monkeypatch, step, made):
    """It has removed the copy of one by then, and would remove those of all the rest."""
    for student in ("ada", "bob"):
        put(classroom, student, right)
    assert main(["grade"]) == 0
    refused, removes = [], step.init_destination

    def init_destination(self, assignment_id, student_id):
        begins = removes(self, assignment_id, student_id)
        other = start(classroom.course, "autograder", "grade")
        refused.append("is being graded already" in other.communicate(timeout=60)[1])
        return begins

    monkeypatch.setattr(step, "init_destination", init_destination)
    config = nbgrader_config(classroom.course)
    config.CourseDirectory.assignment_id = NAME
    config.CourseDirectory.root = str(classroom.course.root)
    monkeypatch.chdir(classroom.course.notebooks)
    step(coursedir=CourseDirectory(config=config), force=True, config=config).start()
    assert refused == [True, True]
    assert len([*(classroom.course.classroom / made).glob(f"*/{NAME}/{NAME}.*")]) == 2


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_in_order_and_the_next_run_resumes(classroom, sums, right, number):
    slow = (
        "import subprocess, time\nsubprocess.Popen(['sleep', '300'])\ntime.sleep(300)\ndef double(x):\n    return 2*x"
    )
    put(classroom, "ada", right)
    put(classroom, "bob", submission(sums, reference_answers(sums) | {"double": slow}))
    put(classroom, "cleo", right)
    grader = start(classroom.course, "autograder", "grade", "--workers", "1", "--timeout", "250")
    journal, end = journal_of(classroom.course), time.monotonic() + 60

    def read(student):
        return journal_of(classroom.course).read(Task(student, NAME, classroom.submitted / student / NAME))

    while not read("ada") and time.monotonic() < end:
        time.sleep(0.2)
    process = psutil.Process(grader.pid)
    while not any("sleep" in child.name() for child in process.children(recursive=True)) and time.monotonic() < end:
        time.sleep(0.2)
    below = process.children(recursive=True)
    assert below
    grader.send_signal(number)
    out, err = grader.communicate(timeout=40)
    assert grader.returncode == 130 and "Traceback" not in out + err
    assert "Stopped: 1 of 3 submissions are done" in out
    assert psutil.wait_procs(below, timeout=5)[1] == [], "no process is left"
    assert read("bob") is None and read("cleo") is None
    assert not list(journal.folder.rglob(".*unfinished"))
    put(classroom, "bob", right)
    again = start(classroom.course, "autograder", "grade")
    out, _ = again.communicate(timeout=120)
    assert again.returncode == 0 and "ada · 01_sums · 7 of 7 in checks · 2 waiting · unchanged" in out
    rows = json.loads((classroom.course.classroom / "grades.json").read_text())
    assert [row["score"] for row in rows] == [7, 7, 7]


def test_late_flags_follow_the_time_of_handing_in_and_the_due_date(classroom, right):
    put(classroom, "ada", right, "2026-03-02 10:00:00.000000 UTC")
    put(classroom, "bob", right)
    assert main(["grade"]) == 0

    def late():
        rows = json.loads((classroom.course.classroom / "grades.json").read_text())
        return {row["student"]: row["seconds_late"] for row in rows}

    assert late() == {"ada": 0, "bob": 0}
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=datetime(2026, 3, 2, 9))
        gradebook.db.commit()
    assert main(["grade"]) == 0
    assert late() == {"ada": 3600, "bob": 0}
    put(classroom, "ada", right, "2026-03-02 11:00:00.000000 UTC")  # the same bytes, handed in again later
    assert main(["grade"]) == 0
    assert late() == {"ada": 7200, "bob": 0}
    assert "ada: 2 h 0 min" in (classroom.course.classroom / "report.html").read_text()
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        gradebook.grant_extension(NAME, "ada", hours=1)
    assert main(["grade", "--force"]) == 0
    assert late() == {"ada": 3600, "bob": 0}
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        assert gradebook.find_assignment(NAME).duedate == datetime(2026, 3, 2, 9)


def test_what_a_killed_grader_left_is_cleared_and_a_lost_gradebook_is_made_again(classroom, right):
    put(classroom, "ada", right)
    assert main(["grade"]) == 0
    journal = journal_of(classroom.course)
    left = journal.folder / NAME / ".abc.unfinished"
    left.write_text("{")
    half = classroom.gradebook.with_name(".gradebook.db.new")
    half.write_bytes(b"half")
    classroom.gradebook.unlink()
    assert main(["grade"]) == 0
    assert not left.exists() and not half.exists()
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        assert gradebook.find_submission(NAME, "ada").score == 7


def test_the_class_report_covers_the_class_also_when_one_student_is_graded(classroom, right, capsys):
    put(classroom, "ada", right)
    put(classroom, "bob", b"{")
    (classroom.submitted / "dan" / NAME).mkdir(parents=True)
    assert main(["grade"]) == 0
    put(classroom, "cleo", right)
    put(classroom, "dan", right)
    assert "classroom/report.html" in capsys.readouterr().out
    assert main(["grade", "--student", "ada"]) == 0
    whole = json.loads((classroom.course.classroom / "report.json").read_text())
    (lesson,) = whole["lessons"]
    assert lesson["scores"] == {"ada": 7} and lesson["unreadable"] == ["bob"]
    assert list(lesson["flags"]) == ["bob", "dan"]
    assert lesson["ungraded"] == ["cleo", "dan"] and lesson["missing"] == []
