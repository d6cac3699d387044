"""The shared cells that watch a training job and draw what its workers noted."""

from __future__ import annotations

import json
import threading
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

STATES = {"ps/0": "answers", "worker/0": "runs, no answer", "worker/1": "killed by signal 9", "worker/2": "not started"}


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "figures", "job_board", "job_timeline"))


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


def test_a_job_without_an_end_shows_its_step_alone(cells):
    text = "".join(ElementTree.fromstring(cells.board_picture(STATES, [step("worker/0", 1.0, 7, 4)])).itertext())
    assert "shared step 7" in text and "of" not in text.split("task")[0]


def test_new_events_alone_are_read_again(cells, tmp_path):
    job, path = SimpleNamespace(records=str(tmp_path)), tmp_path / "events-0.jsonl"
    path.write_text(json.dumps({"end": 1.0, "step": 1, "own": 1}) + "\n" + '{"end": 2.0,')
    assert [event["end"] for event in cells.job_events(job)] == [1.0]
    path.write_text(path.read_text() + ' "step": 2, "own": 2}\n')
    assert [event["end"] for event in cells.job_events(job)] == [1.0, 2.0]
    assert cells.step_of(cells.job_events(job)) == 2 and cells.step_of(cells.job_events(job), "worker/7") == 0


def test_two_readers_at_the_same_time_get_every_event_once(cells, tmp_path):
    """The board's thread and a cell that waits both read, whenever they like."""
    job, count = SimpleNamespace(records=str(tmp_path)), 400
    ended = threading.Event()

    def read_until_the_end():
        while not ended.is_set():
            cells.job_events(job)

    with ThreadPoolExecutor(4) as readers, (tmp_path / "events-0.jsonl").open("w", 1) as file:
        reading = [readers.submit(read_until_the_end) for _ in range(4)]
        for number in range(count):
            print(json.dumps({"end": float(number), "step": number, "own": number}), file=file)
            time.sleep(0.001)
        ended.set()
    for reader in reading:
        reader.result()
    assert [event["step"] for event in cells.job_events(job)] == list(range(count))


class Job:
    """A job whose tasks start and die at once."""

    def __init__(self, folder):
        self.records, self.states = str(folder), dict(STATES)
        self.tasks = list(self.states)

    def alive(self):
        return dict(self.states)

    def kill(self, task):
        self.states[task] = "killed by signal 9"

    def start(self, task, wait=True):
        self.states[task] = "answers"


def pressed(board, words):
    rows = board.widget.children[1:3]
    next(button for row in rows for button in row.children if button.description == words).click()


def shows(board, task, state):
    """Whether the board's picture comes to say so in its words for readers who do not see it.

    The thread that keeps it fresh may draw once more what it had asked for before.
    """
    deadline = time.monotonic() + 20
    while not (found := f"{task} {state}" in board.picture.value) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def test_every_button_of_the_board_does_or_says_something_and_the_board_shows_it(cells, tmp_path):
    job = Job(tmp_path)
    board = cells.JobBoard(job)
    pressed(board, "kill ps/0")
    assert "ps/0 was killed" in board.said.value and shows(board, "ps/0", "killed by signal 9")
    pressed(board, "kill worker/1")
    assert "There is nothing to kill: worker/1 killed by signal 9" in board.said.value
    (tmp_path / "stop").touch()
    pressed(board, "start worker/1")
    assert "worker/1 starts" in board.said.value and shows(board, "worker/1", "answers")
    assert not (tmp_path / "stop").exists()  # else it would end at once
    pressed(board, "start worker/1")
    assert "runs already" in board.said.value
    for task in job.tasks:
        job.kill(task)  # the board's thread ends


def test_a_board_stays_fresh_without_anybody_pressing_and_ends_with_its_job(cells, tmp_path):
    job = Job(tmp_path)
    board = cells.JobBoard(job)
    job.kill("worker/0")
    assert shows(board, "worker/0", "killed by signal 9")
    job.kill("ps/0")
    deadline = time.monotonic() + 20
    while board.watching.locked() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not board.watching.locked()


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
