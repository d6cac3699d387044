"""``course test``: what failed beside other tests runs once more, alone."""

from __future__ import annotations

import json
import subprocess

import pytest

from autograder.cli import main

A, MANY = ["test_a.py::test_a"], [f"test_a.py::test_{number}" for number in range(11)]


@pytest.fixture
def course(tmp_path, monkeypatch):
    """An empty course."""
    for folder in ("solutions/_shared", "autograder"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("first", "failed", "options", "status"),
    [
        (0, [], ["-k", "x"], 0),
        (1, A, ["-k", "x"], 0),
        (1, [], ["-k", "x"], 1),
        (1, MANY, ["-k", "x"], 1),
        (2, A, ["-k", "x"], 2),
        (1, [*A, "gw1"], ["-k", "x"], 1),
        (1, A, ["-vx"], 1),
        (1, A, ["--maxfail=2"], 1),
        (1, A, ["--last-failed"], 1),
    ],
)
def test_a_few_tests_that_fail_run_once_more(course, monkeypatch, first, failed, options, status):
    noted = course / ".pytest_cache/v/cache/lastfailed"
    noted.parent.mkdir(parents=True)
    noted.write_text(json.dumps({"test_a.py::test_that_failed_last_week": True}))
    calls = []

    def call(command, **_):
        calls.append(command)
        noted.write_text(json.dumps(dict.fromkeys(failed if len(calls) == 1 else [], True)))
        return first if len(calls) == 1 else 0

    monkeypatch.setattr(subprocess, "call", call)
    assert main(["test", "--workers", "1", "--", *options]) == status
    assert len(calls) == 1 + (first == 1 and status == 0)
    assert all(one[-len(options) :] == options for one in calls)
    assert all("--last-failed" in one for one in calls[1:])


FLAKY = """
import pathlib, pytest
RUNS = pathlib.Path(__file__).with_name("runs")

@pytest.mark.parametrize("group", [pytest.param("a", marks=pytest.mark.xdist_group("a")), "b"])
@pytest.mark.parametrize("case", range(3))
def test_it(case, group):
    with RUNS.open("a") as runs:
        runs.write(f"{group}{case} ")
    assert case != 1 or RUNS.read_text().split().count(f"{group}1") > 1
"""


def test_what_passed_does_not_run_again(course):
    (course / "test_flaky.py").write_text(FLAKY)
    assert main(["test", "--workers", "1"]) == 0
    runs = sorted((course / "runs").read_text().split())
    assert runs == ["a0", "a1", "a1", "a2", "b0", "b1", "b1", "b2"]


BROKEN = """
import os, pytest

@pytest.mark.parametrize("process", [os.getpid()])
def test_that_has_another_name_in_each_run(process):
    assert 0
"""


def test_a_test_that_did_not_run_again_has_failed(course):
    (course / "test_flaky.py").write_text(FLAKY)
    (course / "test_broken.py").write_text(BROKEN)
    assert main(["test", "--workers", "1"]) == 1
