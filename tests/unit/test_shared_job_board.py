"""The shared cells that watch a training job and draw what its workers noted."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

STATES = {"ps/0": "answers", "worker/0": "runs, no answer", "worker/1": "killed by signal 9", "worker/2": "not started"}


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "job_board", "job_timeline"))


def step(who, end, step, own, stale=0):
    return {"who": who, "start": end - 0.1, "end": end, "step": step, "own": own, "stale": stale}


def test_events_are_read_by_time_and_a_half_written_line_waits(cells, tmp_path):
    lines = [json.dumps({"end": 3.0, "step": 2, "own": 1}), json.dumps({"end": 1.0, "error": "UnavailableError"})]
    (tmp_path / "events-0.jsonl").write_text(lines[0] + "\n" + '{"end": 4.0, "st')
    (tmp_path / "events-12.jsonl").write_text(lines[1] + "\n")
    events = cells.job_events(SimpleNamespace(records=str(tmp_path)))
    assert [(event["who"], event["end"]) for event in events] == [("worker/12", 1.0), ("worker/0", 3.0)]


def test_the_board_is_valid_and_says_what_is_there(cells):
    events = [step("worker/0", 1.0, 7, 4, 2), {"who": "worker/1", "end": 1.1, "error": "Unavailable<Error>"}]
    text = "".join(ElementTree.fromstring(cells.board_picture(STATES, events, 40)).itertext())
    assert "shared step 7 of 40" in text and "✗ killed by signal 9" in text and "Unavailable<Error>" in text


def test_the_board_of_a_job_that_has_done_nothing(cells):
    text = "".join(ElementTree.fromstring(cells.board_picture(STATES, [], 40)).itertext())
    assert "shared step 0 of 40" in text and "○ not started" in text


def test_a_fall_of_the_shared_step_is_found_once_and_disorder_is_none(cells):
    shared = [1, 3, 2, 50, 49, 51, 20, 21, 22]
    events = [step("worker/0", float(t), number, t) for t, number in enumerate(shared)]
    assert cells.lost_steps(events) == [(6.0, 51, 20)]


def test_a_new_life_is_an_own_count_that_begins_anew(cells):
    events = [
        step("worker/0", 1.0, 1, 1),
        step("worker/1", 2.0, 2, 1),
        step("worker/0", 3.0, 3, 2),
        step("worker/1", 4.0, 4, 1),
    ]
    assert cells.new_lives(events) == [(4.0, "worker/1")]


def test_the_timeline_in_words(cells, tmp_path, figures, capsys):
    rows = [step("worker/0", 10.0 + t, number, t + 1, 1) for t, number in enumerate([1, 2, 30, 5])]
    (tmp_path / "events-0.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    cells.draw_job(SimpleNamespace(records=str(tmp_path)), "a job")
    said = capsys.readouterr().out
    assert "4 steps, on average 1.0 updates stale" in said and "back from step 30 to 5" in said
