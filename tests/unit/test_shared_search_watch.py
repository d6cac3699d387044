"""The shared cell that follows a KerasTuner search by its files and draws its trials."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "search_watch"))


@pytest.fixture
def project(tmp_path):
    """``project(trials, ongoing)`` writes a search's files and returns its folder."""

    def write(trials, ongoing):
        for number, (status, score) in trials.items():
            folder = tmp_path / f"trial_{number}"
            folder.mkdir(exist_ok=True)
            values = {"rate": 0.01 * (1 + int(number)), "units": 8}
            trial = {"trial_id": number, "status": status, "score": score, "hyperparameters": {"values": values}}
            (folder / "trial.json").write_text(json.dumps(trial))
        (tmp_path / "oracle.json").write_text(json.dumps({"ongoing_trials": ongoing}))
        return str(tmp_path)

    return write


def test_only_trials_that_run_are_ongoing(cells, project):
    folder = project({"0": ("COMPLETED", 0.5), "1": ("RUNNING", None)}, {"tuner0": "0", "tuner1": "1"})
    trials, ongoing = cells.read_search(folder)
    assert set(trials) == {"0", "1"} and ongoing == {"tuner1": "1"}


def test_a_file_that_is_being_written_or_missing_gives_nothing(cells, project, tmp_path):
    folder = project({"0": ("RUNNING", None)}, {})
    (tmp_path / "oracle.json").write_text('{"ongoing')
    assert cells.read_search(folder) is None
    assert cells.read_search(str(tmp_path / "nowhere")) is None


def test_it_tells_what_begins_and_ends_and_then_returns(cells, project, monkeypatch, capsys):
    folder = project({"0": ("COMPLETED", 0.5), "1": ("RUNNING", None)}, {"tuner1": "1"})

    def next_state(seconds):
        project({"1": ("COMPLETED", 0.25)}, {})

    monkeypatch.setattr(cells.time, "sleep", next_state)
    trials, ongoing = cells.watch_search(folder, until=lambda trials, ongoing: not ongoing)
    lines = [line.split("s  ")[1] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["trial 1 runs on tuner1", "trial 1 completed: 0.250"]
    assert trials["1"]["score"] == 0.25 and ongoing == {}


def test_it_gives_up_and_names_who_runs(cells, project):
    folder = project({"1": ("RUNNING", None)}, {"tuner1": "1"})
    with pytest.raises(TimeoutError, match="tuner1"):
        cells.watch_search(folder, until=lambda *_: False, seconds=0.1)


def test_the_picture_has_a_point_for_each_finished_trial(cells, project, monkeypatch, capsys):
    shown = []
    monkeypatch.setitem(cells.draw_trials.__globals__, "show", lambda figure, words: shown.append((figure, words)))
    folder = project({"0": ("COMPLETED", 0.5), "1": ("COMPLETED", 0.2), "2": ("FAILED", None)}, {})
    cells.draw_trials(cells.read_search(folder)[0])
    figure, words = shown[0]
    left, right = figure.axes
    assert left.lines[0].get_ydata().tolist() == [0.5, 0.2] and len(right.texts) == 2
    assert left.get_xlabel() and left.get_ylabel() and right.get_xlabel()
    assert "the best is trial 1 with 0.200" in words
    assert "the best is trial 1 with 0.200" in capsys.readouterr().out
