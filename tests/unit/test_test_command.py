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
