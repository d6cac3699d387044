"""``course gradescope``: the zip, and its ``run_autograder`` in a root that is laid out as Gradescope documents.

https://gradescope-autograders.readthedocs.io/en/latest/specs/ says where things lie (``/autograder/source``,
``submission``, ``results``, ``run_autograder``) and what results.json holds; ``submission_metadata/`` there, who it is.
The root is made with bubblewrap. Inside, as in Gradescope's containers, no namespace can be made: no program for it is
there, so the submission runs as another user.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom import gradescope_run
from autograder.classroom.gradescope_run import learners_seed, results_of
from autograder.cli import main
from autograder.errors import CourseError
from autograder.grading.grade import Graded
from autograder.grading.lesson import Lesson
from autograder.grading.report import CheckResult, Report, Status
from autograder.grading.sandbox import refuse_unless_closed
from autograder.grading.sandbox.bubblewrap import SYSTEM_FOLDERS, system_paths
from autograder.grading.submission import Submission
from tests.conftest import ROOT
from tests.grading.conftest import NAME

# What a learner's code may try. It writes down what it could do, in its own folder, and answers rightly.
SPY = """
def double(x):
    import os, pathlib, subprocess, sys
    tried = {}
    def attempt(name, what):
        try:
            tried[name] = str(what())[:60]
        except OSError as error:
            tried[name] = type(error).__name__
    answers = pathlib.Path("/autograder/source/solutions/01_sums/01_sums.ipynb")
    attempt("answers", answers.read_text)
    attempt("results", lambda: pathlib.Path("/autograder/results/results.json").write_text("{}"))
    attempt("who", lambda: pathlib.Path("/autograder/submission_metadata.json").read_text())
    attempt("grader", pathlib.Path(f"/proc/{os.getppid()}/environ").read_bytes)
    attempt("root", lambda: os.setuid(0))
    attempt("stays", lambda: subprocess.Popen(["sleep", "600"], start_new_session=True, env={}).pid)
    print("SPY", os.getuid(), tried)
    pathlib.Path(os.environ["TMPDIR"], "spy.txt").write_text(f"{os.getuid()} {tried}")
    os.system(f"cp {os.environ['TMPDIR']}/spy.txt /tmp/spy.txt")
    return 2 * x
"""


@pytest.fixture
def autograder(sums_course, tmp_path) -> Path:
    """``/autograder`` as Gradescope leaves it before it calls ``run_autograder``, but for the submission."""
    shutil.copy(ROOT / "requirements.txt", sums_course.root)
    assert main(["gradescope", "1"]) == 0
    base = tmp_path / "autograder"
    for folder in ("source", "submission", "results"):
        (base / folder).mkdir(parents=True)
    with zipfile.ZipFile(sums_course.classroom / f"gradescope-{NAME}.zip") as opened:
        opened.extractall(base / "source")
        assert {opened.getinfo(name).external_attr >> 16 for name in ("setup.sh", "run_autograder")} == {0o755}
    shutil.copy(base / "source" / "run_autograder", base)
    (base / "run_autograder").chmod(0o755)
    about = {"id": 1, "users": [{"email": "student@example.com", "id": 1234, "name": "Student User"}]}
    (base / "submission_metadata.json").write_text(json.dumps(about))
    return base


def container(base: Path, *command: str, temporary: Path) -> subprocess.CompletedProcess:
    """Run a command as root in a root of its own, without the right to make namespaces."""
    lines, made = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--die-with-parent"], {Path("/")}
    lines += ["--cap-add", "ALL", "--cap-drop", "CAP_SYS_ADMIN", "--clearenv"]
    lines += ["--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    lines += ["--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--dir", "/run"]
    lines += ["--bind", str(temporary), "/tmp"]
    for path in map(Path, system_paths()):
        for parent in reversed(path.parents):
            lines += [] if parent in made else ["--perms", "0755", "--dir", str(parent)]
            made.add(parent)
        linked = path.is_symlink() and str(path) in SYSTEM_FOLDERS
        lines += ["--symlink", str(path.readlink()), str(path)] if linked else ["--ro-bind", str(path), str(path)]
    lines += ["--ro-bind", "/dev/null", shutil.which("bwrap") or "/usr/bin/bwrap"]  # as where none may be used
    lines += ["--perms", "0755", "--dir", "/opt", "--ro-bind", sys.prefix, "/opt/course"]
    lines += ["--bind", str(base), "/autograder", "--chdir", "/autograder", *command]
    return subprocess.run(lines, capture_output=True, text=True, timeout=300)


def handed_in(sums: Lesson, **answers: str) -> bytes:
    """The right submission, but for these answers."""
    return submission(sums, reference_answers(sums) | {"why": "Because it is so."} | answers)


@pytest.fixture
def temporary(tmp_path) -> Path:
    """The container's ``/tmp``, short and for everybody."""
    folder = tmp_path / "container-tmp"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("bwrap") is None, reason="no bubblewrap for a root")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root can be root of a container")
def test_a_submission_in_a_container_as_gradescope_runs_it(autograder, temporary, sums):
    if container(autograder, "true", temporary=temporary).returncode:
        pytest.skip("bubblewrap may not make a root here")
    raw = handed_in(sums, double=SPY, halve="def halve(x):\n    return x // 2\n")
    (autograder / "submission" / "My solution (1).ipynb").write_bytes(raw)
    then = "/autograder/run_autograder; status=$?; pgrep -u 1900008192 > /tmp/left.txt; exit $status"
    done = container(autograder, "bash", "-c", then, temporary=temporary)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (temporary / "left.txt").read_text() == "", "what the submission started has ended with its kernel"
    results = json.loads((autograder / "results" / "results.json").read_text())
    points = {test["name"]: (test["score"], test["max_score"], test["visibility"]) for test in results["tests"]}
    assert list(points.values()) == [
        (2, 2, "visible"), (1, 1, "after_published"), (1, 1, "visible"), (0, 3, "after_published"),
    ], results  # fmt: skip
    assert "it uses whole numbers" in results["tests"][3]["output"] and results["tests"][3]["status"] == "failed"
    assert "Written answers (2 points) are graded by a person" in results["output"]
    assert "was named 'My solution (1).ipynb'" in results["output"]
    spied = (temporary / "spy.txt").read_text()
    assert spied.startswith("1900008192 "), spied
    for what in ("answers", "results", "who", "grader", "root"):
        assert f"'{what}': 'PermissionError'" in spied, spied
    assert "'stays': '" in spied and "secret" not in spied
    assert not [path for path in temporary.iterdir() if path.name.startswith("course-grader-")]


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("bwrap") is None, reason="no bubblewrap for a root")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root can be root of a container")
def test_a_function_that_ends_the_kernel_costs_its_own_points(autograder, temporary, sums):
    if container(autograder, "true", temporary=temporary).returncode:
        pytest.skip("bubblewrap may not make a root here")
    raw = handed_in(sums, halve="import os\ndef halve(x):\n    os.abort()\n")
    (autograder / "submission" / f"{NAME}.ipynb").write_bytes(raw)
    done = container(autograder, "/autograder/run_autograder", temporary=temporary)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((autograder / "results" / "results.json").read_text())
    assert [test["score"] for test in results["tests"]] == [2, 1, 0, 0]
    assert "The kernel ended while it ran your function" in results["tests"][2]["output"]


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("bwrap") is None, reason="no bubblewrap for a root")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root can be root of a container")
def test_a_container_in_which_nobody_can_become_another_user_grades_nothing(autograder, temporary, right):
    """No verdict is better than a kernel that could read the answers; Gradescope then says that the grader failed."""
    (autograder / "submission" / f"{NAME}.ipynb").write_bytes(right)
    drop = ["setpriv", "--bounding-set=-setuid", "--inh-caps=-setuid", "--"]
    done = container(autograder, *drop, "/autograder/run_autograder", temporary=temporary)
    if done.returncode and "Operation not permitted" in done.stderr and "setpriv" in done.stderr[:10]:
        pytest.skip("bubblewrap may not make a root here")
    assert done.returncode == 2 and "lets nobody become another user" in done.stderr, done.stdout + done.stderr
    assert not list((autograder / "results").iterdir())


def test_the_zip_is_the_same_each_time_and_holds_one_lesson(autograder, sums_course, tmp_path, capsys):
    made = sums_course.classroom / f"gradescope-{NAME}.zip"
    assert main(["gradescope", "1", "--file", str(tmp_path / "again.zip"), "--hidden", "visible"]) == 0
    assert main(["gradescope", "1", "--file", str(tmp_path / "third.zip")]) == 0
    assert (tmp_path / "third.zip").read_bytes() == made.read_bytes() != (tmp_path / "again.zip").read_bytes()
    with zipfile.ZipFile(made) as opened:
        names = opened.namelist()
    assert {"setup.sh", "run_autograder", "requirements.txt", f"solutions/{NAME}/{NAME}.ipynb"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or "answers/" in name or name.startswith("/")]
    assert "Answers are in this file" in " ".join(capsys.readouterr().out.split())
    (sums_course.root / "requirements.txt").unlink()
    assert main(["gradescope", "1"]) == 2 and "requirements.txt is missing" in capsys.readouterr().err


def test_both_scripts_are_shell(autograder):
    for name in ("setup.sh", "run_autograder"):
        done = subprocess.run(["bash", "-n", str(autograder / "source" / name)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_what_cannot_be_read_is_no_silent_zero():
    unread = Report(NAME, flags=["The file is not valid JSON."], readable=False)
    results = results_of(unread, "hidden", 1.4)
    assert results["score"] == 0 and results["output"] == "The file is not valid JSON." and results["tests"] == []
    hidden = CheckResult("a-b", "a", "hidden", 3, 1.5, Status.FAILED, likely="it rounds", got="1", title="Other inputs")
    written = CheckResult("w", "w", "written", 2, None, Status.WAITS)
    (test,) = results_of(Report(NAME, [hidden, written], titles={"a": "Exercise 1"}), "hidden", 1.4)["tests"]
    assert test["name"] == "Exercise 1: Other inputs (hidden)" and test["visibility"] == "hidden"
    assert test["output"].splitlines() == ["it rounds", "got: 1", "likely: it rounds"] and test["score"] == 1.5


def test_a_check_without_a_verdict_is_no_zero(tmp_path, monkeypatch):
    unjudged = Report(NAME, [CheckResult("a-b", "a", "visible", 2, None, Status.NO_VERDICT, title="Small ones")])
    source = tmp_path / "source"
    source.mkdir()
    (source / "gradescope.json").write_text(json.dumps({"lesson": NAME, "hidden": "visible"}))
    for name, stand_in in {
        "close_doors": lambda base: None,
        "read_lesson": lambda course, name: SimpleNamespace(name=name, solution_text=""),
        "read_submission_of": lambda task: Submission(b""),
        "choose_kernels": lambda **options: contextlib.nullcontext(),
        "grade_submission": lambda *given: Graded(unjudged, nbformat.v4.new_notebook(), ["a-b"]),
    }.items():
        monkeypatch.setattr(gradescope_run, name, stand_in)
    with pytest.raises(CourseError, match="No verdict on Small ones: the grader failed"):
        gradescope_run.grade(tmp_path)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_in_which_others_may_rename_is_open():
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name, "results")
        closed.mkdir(mode=0o700)
        Path(name).chmod(0o777)
        try:
            refuse_unless_closed([closed])
        except CourseError as error:
            if "lets nobody become another user" in str(error):
                pytest.skip(str(error))
            assert f"could rename what is in {name}" in str(error)
        else:
            pytest.fail("it is open")
        Path(name).chmod(0o755)
        refuse_unless_closed([closed])


def test_a_learner_is_always_asked_the_same(tmp_path):
    def seed(*users: int) -> int:
        about = {"users": [{"id": user, "email": "x"} for user in users]}
        (tmp_path / "submission_metadata.json").write_text(json.dumps(about))
        return learners_seed(tmp_path)

    assert seed(1, 2) == seed(2, 1) != seed(1)
    (tmp_path / "submission_metadata.json").write_text("{")
    assert learners_seed(tmp_path) == learners_seed(tmp_path / "nowhere")
