"""``course test``: what failed beside other tests runs once more, alone."""

from __future__ import annotations

import json
import subprocess

import pytest

from autograder.cli import main


@pytest.mark.parametrize(
    ("first", "failed", "status"),
    [(0, [], 0), (1, ["a"], 0), (1, [], 1), (1, [str(number) for number in range(11)], 1), (2, ["a"], 2)],
)
def test_a_few_tests_that_fail_run_once_more(tmp_path, monkeypatch, first, failed, status):
    for folder in ("solutions/_shared", "autograder", ".pytest_cache/v/cache"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".pytest_cache/v/cache/lastfailed").write_text(json.dumps(dict.fromkeys(failed, True)))
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    calls = []

    def call(command, **_):
        calls.append(command)
        return first if len(calls) == 1 else 0

    monkeypatch.setattr(subprocess, "call", call)
    assert main(["test", "--workers", "1", "--", "-k", "x"]) == status
    assert len(calls) == 1 + (first == 1 and status == 0)
    assert all(one[-2:] == ["-k", "x"] for one in calls) and all("--last-failed" in one for one in calls[1:])


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


def test_what_passed_does_not_run_again(tmp_path, monkeypatch):
    for folder in ("solutions/_shared", "autograder"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "test_flaky.py").write_text(FLAKY)
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    assert main(["test", "--workers", "1"]) == 0
    runs = sorted((tmp_path / "runs").read_text().split())
    assert runs == ["a0", "a1", "a1", "a2", "b0", "b1", "b1", "b2"]
