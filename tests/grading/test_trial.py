"""Unusual notebooks are read in a process of its own first: what takes too much there is not read here."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.cli import main
from autograder.errors import CourseError
from autograder.grading import intake, trial
from autograder.grading.intake import take_in
from autograder.grading.reading import Seen
from autograder.grading.submission import Submission
from tests.conftest import ROOT
from tests.grading.conftest import NAME

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all these limits")


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 1)
    monkeypatch.setattr(trial, "MEMORY", 300 << 20)


def test_a_call_that_takes_too_much_is_refused(little):
    assert trial.refused(re.fullmatch, "(a+)+b", "a" * 40) == "time"
    assert trial.refused(bytearray, 400 << 20) == "memory"
    assert trial.refused(bytearray, 8 << 30) == "memory"
    assert trial.refused(bytearray, 4) == ""


def test_memory_that_the_grader_has_had_is_not_the_notebooks(little):
    held = b"x" * (400 << 20)
    assert trial.refused(len, "x") == ""
    del held
    assert trial.refused(len, "x") == ""


def test_lower_limits_of_the_system_are_kept_and_are_no_fault_of_the_text(little):
    code = (
        "import resource; from autograder.errors import CourseError; from autograder.grading import trial\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (10, 10))\n"
        "assert trial.refused(len, 'x') == ''\n"
        "try: trial.refused(bytearray, 3 << 30)\n"
        "except CourseError as error: assert 'MemoryError' in str(error)\n"
        "else: raise AssertionError"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_nothing_of_the_folder_in_which_it_starts_is_run(little, tmp_path, monkeypatch):
    for name in ("pickle", "json", "autograder"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()")
    monkeypatch.chdir(tmp_path)
    assert trial.refused(len, "x") == ""
    assert not (tmp_path / "ran").exists()


def test_what_is_not_the_texts_fault_is_an_error_of_the_grader(little, monkeypatch):
    calls: list[tuple[Callable[..., object], tuple[object, ...]]] = [(os._exit, (7,)), (os.abort, ()), (int, ("x",))]
    for function, arguments in calls:
        with pytest.raises(CourseError, match="tried to read a notebook ended with"):
            trial.refused(function, *arguments)
    monkeypatch.setattr(sys, "executable", "/no/python")
    with pytest.raises(CourseError, match="did not start or end"):
        trial.refused(int)


PLAIN = "def double(x):\n    return 2 * x\n"
SLOW = PLAIN + "\n".join(f"y{i} = [a for a in b if (lambda c: c)(a)]" for i in range(2000))


def with_double(lesson, text):
    """A right notebook, but for this text in the answer's cell."""
    return submission(lesson, reference_answers(lesson) | {"double": text})


def test_only_unusual_notebooks_are_tried(sums, right, monkeypatch):
    tried = []
    monkeypatch.setattr(intake, "refused", lambda *call: tried.append(call) or "")
    assert take_in(Submission(right), sums).readable and not tried
    long = PLAIN + f"# {'x' * trial.LONG}"
    assert take_in(Submission(with_double(sums, long)), sums).readable and len(tried) == 1
    assert take_in(Submission(None), sums).flags and len(tried) == 1


@pytest.mark.parametrize(
    ("cells", "unusual"),
    [
        ([("code", 5000), ("code", 5000)], False),
        ([("code", 5001)], True),
        ([("code", 5000)] * 7, True),
        ([("text", 100_000)] * 3, False),
        ([("text", 100_000)] * 4, True),
        ([], False),
    ],
)
def test_what_is_unusual(sums, cells, unusual):
    cells = [Seen(number, kind, str(number) * length) for number, (kind, length) in enumerate(cells)]
    own = [Seen(9, "code", cell.source.replace("#", "# ")) for cell in sums.release.cells] * 50
    assert trial.is_unusual([*cells, *own], sums) is unusual


def test_of_code_that_takes_too_long_nothing_is_read(sums, monkeypatch):
    raw = with_double(sums, SLOW)
    whole = take_in(Submission(raw), sums)
    assert whole.readable
    assert any(cell.source.startswith(PLAIN) for cell in whole.notebook.cells)
    monkeypatch.setattr(intake, "refused", lambda *call: "time")
    clean = take_in(Submission(raw), sums)
    assert not clean.readable and not clean.complete and clean.handed_in
    assert "takes more time than any answer should" in clean.flags[-1]
    assert all(cell.source != SLOW for cell in clean.notebook.cells)


@pytest.mark.slow
@pytest.mark.xdist_group("gradebook")
def test_a_trial_that_fails_makes_no_result(sums, sums_course, monkeypatch, capsys):
    """As it is the grader's failure; others are graded, and the next run asks again."""
    submitted = sums_course.root / "classroom" / "submitted"
    for student, text in {"ada": PLAIN, "eve": SLOW}.items():
        (submitted / student / NAME).mkdir(parents=True)
        (submitted / student / NAME / f"{NAME}.ipynb").write_bytes(with_double(sums, text))
    with monkeypatch.context() as broken:
        broken.setattr(trial, "_START", "import os; os.abort()")
        assert main(["grade", "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "eve" in out and "The grader itself failed here (CourseError: A process that tried to read" in out
    assert points(sums_course)["ada"] == "7.0"
    assert main(["grade", "--workers", "1"]) == 0
    assert points(sums_course) == {"ada": "7.0", "eve": "7.0"}


def points(course):
    with (course.classroom / "grades.csv").open(encoding="utf-8-sig") as file:
        return {row["student"]: row["score"] for row in csv.DictReader(file)}
