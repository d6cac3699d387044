"""The shared cell that starts models as processes around one process that holds their queues."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from autograder.authoring.source import read_cells
from autograder.paths import Course

from .shared_cells import run_cells

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="freezes processes by signals")]


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "model_processes"))


@pytest.fixture(scope="module")
def program(course: Course, tmp_path_factory) -> str:
    """The file that the lesson writes."""
    path = tmp_path_factory.mktemp("program") / "models.py"
    for cell in read_cells(course, "04_queues"):
        first, _, text = cell.text.partition("\n")
        if first.startswith("%%writefile"):
            with path.open("a", encoding="utf-8") as file:
                file.write(text + "\n")
    return str(path)


@pytest.fixture
def started():
    """Asks for the processes that this test has started (a worker of pytest may hold others)."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    return lambda: [child.pid for child in psutil.Process().children(recursive=True) if child.pid not in before]


def within(tf, seconds):
    return tf.compat.v1.RunOptions(timeout_in_ms=int(1000 * seconds))


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def stopped(process: psutil.Process) -> bool:
    """Has every thread stopped? The first one may be seen as stopped while others still run."""
    states = [
        Path(task, "stat").read_text().rpartition(")")[2].split()[0]
        for task in Path(f"/proc/{process.pid}/task").iterdir()
    ]
    return all(state in "Tt" for state in states)


def wait_until_gone(pids) -> bool:
    end = time.monotonic() + 30
    while not all(map(gone, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return all(map(gone, pids))


def test_models_answer_a_frozen_one_does_not_and_all_end(cells, program, started):
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        step, x = v1.placeholder(tf.int32, []), v1.placeholder(tf.float32, [2])
        put, take = {}, {}
        for model in "ab":
            inputs, predictions = (
                tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[(), (2,)], shared_name=f"{model}/{way}")
                for way in ("inputs", "predictions")
            )
            put[model], take[model] = inputs.enqueue([step, x]), predictions.dequeue()
    with cells.model_processes(program, {"a": [[1.0, 2.0], [3.0, 4.0]], "b": [[0.0, 1.0], [1.0, 0.0]]}) as running:
        family = started()
        assert set(running.pids) == {"a", "b"} and set(running.pids.values()) < set(family)
        with v1.Session(running.target, graph=graph) as session:
            session.run(list(put.values()), {step: 5, x: [1.0, 10.0]}, options=within(tf, 60))
            number, prediction = session.run(take["a"], options=within(tf, 60))
            assert (number, prediction.tolist()) == (5, [31.0, 42.0])
            number, prediction = session.run(take["b"], options=within(tf, 60))
            assert (number, prediction.tolist()) == (5, [10.0, 1.0])
            frozen = psutil.Process(running.pids["b"])
            frozen.suspend()
            end = time.monotonic() + 30
            while not stopped(frozen) and time.monotonic() < end:
                time.sleep(0.01)
            session.run(list(put.values()), {step: 6, x: [1.0, 1.0]}, options=within(tf, 60))
            assert session.run(take["a"], options=within(tf, 60))[0] == 6
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(take["b"], options=within(tf, 0.5))
    assert wait_until_gone(family)


def test_an_error_inside_ends_all_processes(cells, program, started):
    with pytest.raises(ValueError, match="mine"), cells.model_processes(program, {"a": [[1.0, 0.0], [0.0, 1.0]]}):
        family = started()
        raise ValueError("mine")
    assert family and wait_until_gone(family)


def test_a_process_that_cannot_start_is_an_error_for_people(cells, tmp_path):
    broken = tmp_path / "models.py"
    broken.write_text("raise SystemExit")
    with pytest.raises(RuntimeError, match="ended at once"), cells.model_processes(str(broken), {}):
        pass
