"""What lesson 04 says of waits, losses and pipelines, asked of its own cells."""

from __future__ import annotations

import contextlib
import io
import time

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

LESSON = "04_queues"
# Pictures and widgets, processes, and what waits for long.
SKIPPED = ("record, taken =", "draw_lengths", "who_waits", "%%writefile", 'print("Starting', "tf.get_logger")


@pytest.fixture(scope="module")
def said() -> tuple[dict, str]:
    """The names that the lesson's cells define, and all that they print."""
    import matplotlib

    matplotlib.use("Agg")
    import numpy as np
    import tensorflow as tf

    course = Course(ROOT)
    space: dict = {"tf": tf, "np": np}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in read_cells(course, LESSON):
            if cell.role == "include" and "quiet_start" not in cell.name and "checks" not in cell.name:
                exec(shared_cell(course, cell, {}), space)
            elif cell.role == "include" and "checks" in cell.name:
                from tests.unit.shared_cells import run_cells

                space |= run_cells(course, "predictions", "queue_lengths", "queue_examples")
            elif cell.role in ("code", "predict") and not cell.text.startswith(SKIPPED):
                exec(cell.text, space)
    return space, printed.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        "within(-5): after a second, has it returned? False",
        "elements left: 0. (You wrote no prediction.)",  # the lost pair
        "elements in the queue that had one: 0",
        "closed after a second? False | has the producer ended? False",
        "the producer ended with CancelledError",
        "most that works: 5.",
        "taken: 1, made: 4",
        "models ended: True",
        "I gave up waiting",
        "the thread got 7.0 - left: 0",
    ],
)
def test_a_cell_shows_what_the_text_beside_it_says(said, line):
    assert line in said[1]


def test_a_run_that_also_works_loses_its_element(said):
    assert "\nelements left: 0\n" in said[1]


def test_a_session_that_is_closed_breaks_off_a_waiting_take(said):
    space, _ = said
    tf, v1 = space["tf"], space["v1"]
    with tf.Graph().as_default() as graph:
        take = tf.queue.FIFOQueue(1, tf.float32, shapes=[()]).dequeue()
    session = v1.Session(graph=graph)
    waiting = space["in_background"](session.run, take)
    time.sleep(0.3)
    session.close()
    assert isinstance(waiting.exception(timeout=20), tf.errors.CancelledError)


def test_a_slow_shard_holds_up_the_others_only_in_turns(said):
    space, _ = said
    files, paths = space["files"], space["paths"]
    options = space["tf"].data.Options()
    options.threading.private_threadpool_size = 8
    assert len(paths) == 3

    def first(**how):
        dataset = files.interleave(space["open_safely"], cycle_length=3, **how).with_options(options)
        return [int(number) for number in dataset]

    assert first()[0] == 1
    assert first(num_parallel_calls=3, deterministic=False)[-3:] == [1, 2, 3]


def test_an_error_in_a_batch_costs_the_batch(said):
    space, _ = said
    whole = space["files"].interleave(space["open_shard"], cycle_length=3)
    kept = [int(number) for number in whole.ignore_errors()]
    rows = [batch.numpy().tolist() for batch in whole.batch(3).ignore_errors()]
    assert sorted(kept) == [1, 2, 3, 11, 12, 13, 21, 22]
    assert sum(map(len, rows)) < len(kept)


def test_a_second_close_of_an_eager_queue_is_refused(said):
    tf = said[0]["tf"]
    queue = tf.queue.FIFOQueue(1, tf.float32, shapes=[()])
    queue.close()
    with pytest.raises(tf.errors.CancelledError):
        queue.close()
