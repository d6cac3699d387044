"""The shared cells that run a learner's worker in real processes, and say what the cluster did."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "work_drill", "work_record"))


def folder_with(tmp_path, step: int, *saved: int) -> str:
    (tmp_path / "notes").write_text(json.dumps({"worker": 0, "step": step}) + "\n" + '{"worker": 0, "st')
    for number in saved:
        (tmp_path / f"model.ckpt-{number}.index").touch()
    return str(tmp_path)


def test_a_half_written_note_is_left_out(cells, tmp_path):
    assert cells.notes_of(folder_with(tmp_path, 7)) == [{"worker": 0, "step": 7}]
    assert cells.notes_of(str(tmp_path / "nowhere")) == []


@pytest.mark.parametrize(
    ("task", "step", "saved", "now"),
    [
        ("worker/1", 30, [], False),
        ("worker/1", 31, [], True),
        ("ps/0", 31, [], False),  # nothing is saved yet
        ("ps/0", 49, [], True),  # nothing will be
        ("ps/0", 33, [0, 21], True),
        ("ps/0", 43, [0, 21, 41], False),  # almost nothing would be lost
    ],
)
def test_a_ps_is_killed_only_when_its_death_shows(cells, tmp_path, task, step, saved, now):
    assert cells.time_to_kill(task, folder_with(tmp_path, step, *saved), 60) == now


@pytest.mark.parametrize("digits", [False, True])
def test_the_script_has_the_learners_text_and_is_python(cells, digits):
    script = cells.work_script("import time", "def work(*args):\n    'mine'", 40, "folder", digits)
    compile(script, "task.py", "exec")
    build = "build_digits" if digits else "build_counters"
    assert "'mine'" in script and f"work(task.spec, task.index, 40, 'folder', {build})" in script
    assert ("test_accuracy()" in script) == digits


def test_what_happened_from_notes_and_logs(cells):
    logs = {"worker/0": "fine\n", "worker/1": "Traceback\nValueError: no luck\n"}
    states = {"ps/0": "answers", "worker/0": "ended with 0", "worker/1": "ended with 1"}
    cluster = SimpleNamespace(log=logs.get, alive=lambda: states)
    notes = [
        {"worker": 0, "chief": True, "variables": {"w0": "/job:worker/task:0"}, "compute": ["/job:worker/task:0"]},
        {"worker": 0, "chief": True, "opened": 0},
        {"worker": 0, "chief": True, "own": 1, "step": 1},
        {"worker": 0, "chief": True, "own": 2, "step": 3},
    ]
    happened = cells.what_happened(cluster, ["worker/0", "worker/1"], notes)
    assert happened["ended"] == ["ended with 0", "ended with 1"] and happened["error"] == "ValueError: no luck"
    assert happened["chiefs"] == [0] and happened["own"] == {0: 2} and happened["opened"] == [[0, 0]]
    assert happened["variables"] == {"w0": "/job:worker/task:0"} and happened["values"] == {}
    empty = cells.what_happened(cluster, ["worker/0"], [])
    assert empty["variables"] == {} and empty["chiefs"] == []
